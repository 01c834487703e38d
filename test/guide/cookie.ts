/** Returns a new access token by the cookie; undefined if nobody is logged in. */
export async function refreshed(url: string): Promise<string | undefined> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'refresh-token-in': 'cookie' },
    body: JSON.stringify({ query: 'mutation { refreshTokens { accessToken userErrors { code } } }' }),
  });
  const { data } = (await response.json()) as { data?: { refreshTokens: { accessToken: string | null } } | null };
  // Without data the server was too busy to answer, and the cookie can be used later.
  if (!data) throw new Error('The login could not be renewed. Try again in a moment.');
  return data.refreshTokens.accessToken ?? undefined;
}

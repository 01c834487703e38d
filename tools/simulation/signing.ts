const key = await crypto.subtle.importKey('raw', new Uint8Array(32), { name: 'HMAC', hash: 'SHA-256' }, false, [
  'sign',
]);

/**
 * Runs a function without signing tokens. Access tokens are signed in a separate thread, whose
 * answers arrive at times that do not depend on the seed. Afterwards the originals are restored,
 * for the rest of this process.
 */
export async function withoutSigning<Result>(work: () => Promise<Result>): Promise<Result> {
  Object.assign(crypto.subtle, {
    importKey: () => Promise.resolve(key),
    sign: () => Promise.resolve(new ArrayBuffer(32)),
  });
  try {
    return await work();
  } finally {
    // The replacements have hidden those of the prototype.
    for (const name of ['importKey', 'sign']) Reflect.deleteProperty(crypto.subtle, name);
  }
}

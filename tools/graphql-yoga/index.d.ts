/**
 * Stands in for the package of this name, which brings 18 others. The GraphiQL page is text that
 * @graphql-yoga/render-graphiql has ready; it takes from graphql-yoga only the type of its options.
 */
export interface GraphiQLOptions {
  title?: string;
  endpoint?: string;
  defaultTabs?: { query: string; headers?: string }[];
}

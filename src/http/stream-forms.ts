/**
 * The two forms in which a subscription is answered. Apollo Client reads only the second one, and
 * most others only the first one (decision 35).
 */

/** A form of a stream. */
export interface StreamForm {
  /** The media type that a client accepts. */
  readonly accepted: string;
  readonly contentType: string;
  /** The text that begins every stream, so that the client learns at once that it is open. */
  readonly begin: string;
  /** @param result the JSON of a result of GraphQL */
  readonly event: (result: string) => string;
  /** The text that shows a silent connection to be alive. Clients ignore it. */
  readonly heartbeat: string;
  readonly end: string;
}

/** GraphQL over server-sent events, distinct connections mode. */
const EVENT_STREAM: StreamForm = {
  accepted: 'text/event-stream',
  contentType: 'text/event-stream; charset=utf-8',
  begin: ':\n\n',
  event: (result) => `event: next\ndata: ${result}\n\n`,
  heartbeat: ':\n\n',
  end: 'event: complete\ndata:\n\n',
};

// A client takes a part as complete when it sees the boundary after it, so each part ends with one.
const partOf = (json: string) => `\r\ncontent-type: application/json\r\n\r\n${json}\r\n--graphql`;

/** Apollo's protocol for subscriptions over `multipart/mixed`. */
const MULTIPART: StreamForm = {
  accepted: 'multipart/mixed',
  contentType: 'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"',
  begin: '\r\n--graphql',
  event: (result) => partOf(`{"payload":${result}}`),
  heartbeat: partOf('{}'),
  end: '--\r\n',
};

/** The part of the header that is read. Clients send some eighty characters. */
const ACCEPTED_LENGTH_MAX = 1_000;

/**
 * Returns the form that a client's header `accept` names, the first one if it names both;
 * `undefined` if it names none.
 */
export function streamFormFor(accept = ''): StreamForm | undefined {
  const named = accept.slice(0, ACCEPTED_LENGTH_MAX).toLowerCase();
  return [EVENT_STREAM, MULTIPART]
    .map((form) => ({ form, place: named.indexOf(form.accepted) }))
    .filter(({ place }) => place >= 0)
    .toSorted((one, other) => one.place - other.place)[0]?.form;
}

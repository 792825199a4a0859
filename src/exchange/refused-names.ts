/**
 * Headers that the gateway sets itself, of a connection (RFC 9110 section 7.6.1), and those that ask for a
 * part of a reply or for none: the gateway needs whole replies.
 */
const ownOrHopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
  'content-length',
  'content-encoding',
  'content-type',
  'accept-encoding',
  'accept',
  'prefer',
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
])

/** Headers about the origin of a request, which servers trust if a proxy sets them, and the gateway's own. */
const trusted =
  /^(?:x-)?(?:forwarded|original|rewrite|http-method|method-override|real-ip|client-ip|true-client|host|remote|ssl|tls|envoy|cluster|dragoman|amz|ms-client)(?:[-_]|$)|^(?:proxy|cf|sec|true-client|fastly|fly|x-goog-(?:authenticated|iap|request-params|user-project|fieldmask))(?:[-_]|$)|^(?:via|origin|referer)$/

/**
 * Headers of a client's own trace. An account whose policy is to take part in traces gets the trace
 * context of its attempt, and no account gets a baggage.
 */
const traceContext =
  /^(?:traceparent|tracestate|traceresponse|baggage|b3|sentry-trace|uber-trace-id|x-trace-id|x-amzn-trace-id|x-cloud-trace-context|grpc-trace-bin|elastic-apm-traceparent|newrelic)$|^(?:x-b3|x-datadog|x-ot-span|uberctx|baggage|ot-baggage)-/

const looksSecret =
  /(?:^|[-_])(?:authorization|authenticat\w*|cookies?\d?|password|passwd|pwd|secret|token|credentials?|api[-_]?key|key|auth|jwt|jws|cert|certificate|passphrase|sso|saml|signature|assertion|client-?ip|principal|impersonat\w*)(?:[-_]|$)/

/** The word `key` in names of headers that are no credentials. */
const harmlessKey = /^(?:idempotency|x-idempotency|cache|x-cache)[-_]key$/

/**
 * Whether a header of clients, in lower case, goes to no account although a configuration names it: a
 * credential, a header of the connection, of the host, of the client's address or of its trace, or one
 * that the gateway sets.
 */
export function isRefusedHeader(name: string): boolean {
  if (ownOrHopByHop.has(name) || trusted.test(name) || traceContext.test(name)) return true
  return isSecretHeader(name)
}

const personal =
  /(?:^|[-_])(?:organi[sz]ation|org|project|workspace|tenant|user|profile|customer|account)(?:[-_]|$)/

/**
 * Whether a header, in lower case, is one that the gateway itself sets for each request or connection, so
 * that no configuration can set it. One idempotency key for all requests would give all the same reply.
 */
export function isOwnHeader(name: string): boolean {
  return (
    ownOrHopByHop.has(name) ||
    traceContext.test(name) ||
    /^(?:proxy|x-dragoman)-|^(?:x-)?idempotency-key$/.test(name)
  )
}

/** Whether the name of a header, in lower case, says that its value is secret. */
export function isSecretHeader(name: string): boolean {
  return looksSecret.test(name) && !harmlessKey.test(name)
}

/** Whether a header names the client's organisation or person: it passes by its full name only. */
export function isPersonalHeader(name: string): boolean {
  return personal.test(name)
}

const secretParameter =
  /(?:^|[^a-z])(?:key|api[-_]?key|token|secret|password|credentials?|signature|sig|auth\w*|session|jwt|userip|quotauser)(?:[^a-z]|$)/

/** Parameters that change the form of a reply, of which the gateway reads one. */
const formParameters: ReadonlySet<string> = new Set(['alt', 'callback', 'xgafv', 'method'])

/** Whether a query parameter goes to no account although a configuration names it. */
export function isRefusedParameter(name: string): boolean {
  const lower = name.toLowerCase()
  return secretParameter.test(lower) || formParameters.has(lower.replace(/^[^a-z]+/, ''))
}

/** Parameters with the place of a page in a list. */
const pageToken = /^(?:next|page|continuation|sync)[-_]?token$/

/** The same of a request whose parameters the gateway does not know, and whose reply it does not read. */
export function isUnsafeParameter(name: string): boolean {
  const lower = name.toLowerCase()
  return lower !== 'alt' && !pageToken.test(lower) && isRefusedParameter(lower)
}

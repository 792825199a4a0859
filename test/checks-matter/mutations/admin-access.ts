import { checksOf } from '../mutation.ts'

const site = ['test/admin/http/site.test.ts']
const limits = ['test/admin/http/limits.test.ts']
const sessions = ['test/admin/http/sessions.test.ts']
const streams = ['test/admin/http/streams.test.ts']
const oidc = ['test/admin/http/oidc.test.ts']
const graphiql = ['test/admin/http/graphiql.test.ts']

/** Who reaches the admin address, and how much of the process they get. */
export const adminAccessChecks = [
  ...checksOf('auth', 'src/admin/http/site.ts', site, {
    'admin: a target is a path': ["!url.startsWith('/')", 'false'],
    'admin: the host is known': ['!host || !isAllowed(host, request, allowed)', 'false'],
    'admin: the origin is that of the host': [
      'headers.origin !== undefined && !isSame(headers.origin, headers.host!)',
      'false',
    ],
    'admin: an allowed host may have a port': [
      'return one === name || one === full',
      'return one === name',
    ],
  }),
  ...checksOf('auth', 'src/admin/http/site.ts', sessions, {
    'admin: a cookie needs the header of the console': [
      "headers['x-dragoman-console'] === '1'",
      'true',
    ],
    'admin: a cookie counts on the own site': [
      "site === undefined || site === 'same-origin' || site === 'none'",
      'true || site',
    ],
  }),
  ...checksOf('auth', 'src/admin/http/who.ts', sessions, {
    'admin: a wrong token is not made up for by a cookie': [
      'if (authorization === undefined && cookie === undefined) return',
      'if (cookie !== undefined) return { principal: (await sessions.find(cookie))! }\n    if (authorization === undefined) return',
    ],
    'admin: a page of another site does not read a session': [
      "as !== 'page' || isForeign",
      "as !== 'page'",
    ],
  }),
  ...checksOf('auth', 'src/admin/sessions.ts', sessions, {
    'sessions: the secret decides': ['!isEqual(record.hash, given)', 'false'],
    'sessions: one that nobody uses is over': ['Math.min(usedAt + idleMs, endsAt)', 'endsAt'],
    'sessions: one ends after twelve hours': [
      'Math.min(usedAt + idleMs, endsAt)',
      'usedAt + idleMs',
    ],
    'sessions: the rights are those of now': [
      "isOver(record) ? 'over' : await rightsOf(record.grant)",
      "isOver(record) ? 'over' : { role: record.role }",
    ],
    'sessions: the store has a hash': [
      'const record = { hash: hashOf(secret), grant',
      'const record = { secret, hash: hashOf(secret), grant',
    ],
  }),
  ...checksOf('auth', 'src/admin/sessions.ts', streams, {
    'sessions: a stream does not prolong one': ["as === 'watched' || ", ''],
  }),
  ...checksOf('auth', 'src/admin/grants.ts', sessions, {
    'sessions: a token with a new secret ends them': [
      'if (token?.hash === hash) {',
      'if (token) {',
    ],
  }),
  ...checksOf('auth', 'src/admin/http/session.ts', sessions, {
    'sessions: an address that guesses waits': [
      'const wait = attempts.take(keyOf(visit))',
      'const wait = 0 * attempts.take(keyOf(visit))',
    ],
    'sessions: a new one ends the former': ['await sessions.end(former.sessionId!)', ''],
  }),
  ...checksOf('auth', 'src/admin/schema/sessions.ts', sessions, {
    'sessions: only admins end those of others': [
      "principal.role === 'admin' || id === principal.sessionId",
      'true',
    ],
    'sessions: only admins see those of others': [
      "if (principal.role === 'admin') {",
      "if (principal.role !== 'nobody') {",
    ],
  }),
  ...checksOf('auth', 'src/http/client.ts', sessions, {
    'admin: forwarded addresses count from proxies only': ['!proxies.has(peer)', 'false'],
    'admin: the nearest address counts': [
      'if (!proxies.has(address) || at === entries.length - 1)',
      'if (at === entries.length - 1)',
    ],
  }),
  ...checksOf('auth', 'src/admin/http/client.ts', sessions, {
    'admin: a network of IPv6 is one address': ['.slice(0, 4)', '.slice(0, 8)'],
  }),
  ...checksOf('requests', 'src/admin/http/body.ts', limits, {
    'admin: a body is JSON': ["!isJson(headers['content-type'])", 'false'],
    'admin: the size that a body names': [
      "Number(headers['content-length'] ?? 0) > limits.bodyBytes",
      'false',
    ],
    'admin: the size that a body has': ['size > limits.bodyBytes', 'false'],
    'admin: the time of a body': ["timer.addEventListener('abort', late)", ''],
  }),
  ...checksOf('requests', 'src/admin/http/document.ts', limits, {
    'admin: tokens of a document': ['parse(source, { maxTokens })', 'parse(source)'],
    'admin: depth of a document': ['depth > limits.depth', 'false'],
    'admin: fields of a document': ['fields > limits.fields', 'false'],
  }),
  ...checksOf('requests', 'src/admin/http/guard.ts', limits, {
    'admin: defects are masked': [
      'if (cause === undefined) return withCode(error)',
      'if (cause) return error',
    ],
    'admin: the time of an operation': ['resolve({ errors: [error] })', 'resolve({})'],
    'admin: introspection': ['addValidationRule(NoSchemaIntrospectionCustomRule)', ''],
    'admin: no suggestions without the schema': ['{ hideSuggestions: true }', '{}'],
  }),
  ...checksOf('requests', 'src/admin/act.ts', limits, {
    'admin: few acts in an operation': ['complexity: costOfAct,', ''],
  }),
  ...checksOf('requests', 'src/admin/server.ts', limits, {
    'admin: an act whose answer nobody takes': ['!takesAnswer(request.headers.accept)', 'false'],
    'admin: the rate of a token': [
      "wait > 0 ? { refusal: tooMany('Too many operations.', wait) } : who",
      "wait < 0 ? { refusal: tooMany('Too many operations.', wait) } : who",
    ],
  }),
  ...checksOf('streams', 'src/admin/http/streams.ts', streams, {
    'admin: the number of streams': ['open.size >= most', 'false'],
    'admin: a stream ends with its token': ['who.refusal.status === 401', 'false'],
    'admin: a stream that ends makes room': ['open.delete(response)', ''],
  }),
  ...checksOf('requests', 'src/admin/http/graphql.ts', limits, {
    'admin: the spelling of a media type': [
      "...(body !== undefined && { 'content-type': 'application/json' }),",
      '',
    ],
    'admin: a subscription without events': ['answer.status === notAcceptable.status', 'false'],
  }),
  ...checksOf('streams', 'src/admin/http/graphql.ts', streams, {
    'admin: events have no content coding': ["answer.headers.delete('content-encoding')", ''],
    'admin: proxies do not hold events back': ["answer.headers.set('x-accel-buffering', 'no')", ''],
  }),
  ...checksOf('auth', 'src/admin/oidc.ts', oidc, {
    'oidc: a sign-in takes ten minutes': [
      'if (!(age < signInMs)) throw',
      'if (Number.isNaN(age)) throw',
    ],
    'oidc: the nonce': ['expectedNonce: nonce', "expectedNonce: 'x'.repeat(43)"],
    'oidc: the code verifier': ['code_challenge_method: ', 'x_code_challenge_method: '],
  }),
  ...checksOf('auth', 'src/admin/http/oidc.ts', oidc, {
    'oidc: a user has a role': [
      'roleOfGroups(known, setting)',
      "roleOfGroups(known, setting) ?? 'viewer'",
    ],
  }),
  ...checksOf('auth', 'src/admin/http/pages.ts', graphiql, {
    'graphiql: text of an earlier version leaves the storage of users without a session': [
      '`${clearScript}const form',
      '`const form',
    ],
  }),
  ...checksOf('auth', 'src/admin/http/graphiql.ts', graphiql, {
    'graphiql: an admin can sign out': ["kind === 'session' ? signOutForm : ''", "''"],
    'graphiql: for admins': ["who.principal.role === 'admin'", 'true'],
    'graphiql: scripts of the own address only': [`"script-src 'self'"`, `"script-src 'none'"`],
    'graphiql: typed text stays out of the storage': ['  storage,\n', ''],
    'graphiql: typed text stays out of the address': ['  onEditQuery() {},\n', ''],
    'graphiql: text of an earlier version leaves the storage': ['`${clearScript}\n', '`'],
    'graphiql: not sent twice': ["request.headers['if-none-match'] === file.tag", 'false'],
  }),
]

import { checksOf } from '../mutation.ts'

const bypasses = ['test/plugins/shipped/guardrail-bypasses.test.ts']
const cache = ['test/plugins/shipped/response-cache-attacks.test.ts']
const lists = ['test/plugins/shipped/ip-lists.test.ts', 'test/errors/failing-hooks.test.ts']
const texts = ['test/requests/request-texts.test.ts']
const jwt = ['test/plugins/shipped/jwt.test.ts']

/** What the shipped plugins refuse, mask and tell apart. */
export const shippedPluginChecks = [
  ...checksOf('contracts', 'plugins/guardrail/index.ts', bypasses, {
    'what cannot be masked is refused': [
      'if (!inRequest.areNone) await guardBody(exchange, inRequest)',
      '',
    ],
    'replies without events are masked': [
      'return guardReply(exchange, reply, inReply, ofReply)',
      'return reply',
    ],
  }),
  ...checksOf('contracts', 'src/generate/request-texts.ts', texts, {
    'signed reasoning keeps its text': [
      'part.signature ? part.text : change(part.text)',
      'change(part.text)',
    ],
    'a text may become empty': [
      '...(endUser !== undefined && { endUser }),',
      '...(endUser && { endUser }),',
    ],
  }),
  ...checksOf('contracts', 'plugins/response-cache/question.ts', cache, {
    'forwarded headers are a part of a question': ['headersOf(exchange),', ''],
    'the policy for losses is a part of a question': ['caller.losses,', ''],
  }),
  ...checksOf('contracts', 'src/gateway.ts', lists, {
    'the caller of each operation is admitted': ['if (admitting) await admitting', ''],
    'plugins see the callers of what the gateway serves itself': [
      'const admitting = hooks.caller(authenticated)',
      "const admitting = 'serve' in operation ? undefined : hooks.caller(authenticated)",
    ],
  }),
  ...checksOf('contracts', 'plugins/jwt/index.ts', jwt, {
    'no API key has the id of a subject': ["callerPrefix = '@jwt:'", "callerPrefix = 'jwt:'"],
  }),
  ...checksOf('contracts', 'plugins/ip-lists.ts', lists, {
    'a client that cannot be known is on no side of the lists': [
      'if (isAddressUnclear || has(denied, address))',
      'if (has(denied, address))',
    ],
    'a key is of no use to a client that cannot be known': [
      'if (request.isAddressUnclear || !has(own',
      'if (!has(own',
    ],
  }),
  ...checksOf('contracts', 'src/http/client.ts', lists, {
    'an address that cannot be read is not the proxy': [
      'words.namesClients && (!found || ',
      'words.namesClients && found && (',
    ],
    'two headers have to agree': ['return !others || ', 'return true || '],
  }),
  ...checksOf('contracts', 'plugins/jwt/issuer-keys.ts', jwt, {
    'tokens of unknown keys do not ask the issuer each time': [
      'await readAfter(pauseMs)',
      'await readAfter(0)',
    ],
    'keys are too old after a day': ['if (keys && age < usableMs) {', 'if (keys) {'],
  }),
]

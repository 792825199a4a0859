import { checksOf } from '../mutation.ts'

const bypasses = ['test/plugins/shipped/guardrail-bypasses.test.ts']
const longTexts = ['test/plugins/shipped/guardrail-long-texts.test.ts']
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
  ...checksOf('contracts', 'plugins/guardrail/guard-body.ts', bypasses, {
    'a name that occurs twice hides no value': ['await finishInTurns(assertSameBody(body))', ''],
  }),
  ...checksOf('contracts', 'plugins/guardrail/same-body.ts', bypasses, {
    'a plugin that changes a text hides no other': [
      'if (this.#plain(byte) !== known) this.isChanged = true',
      'this.#plain(byte)',
    ],
  }),
  ...checksOf('contracts', 'plugins/guardrail/spelling.ts', bypasses, {
    'fillers and selectors hide nothing': ['\\p{Default_Ignorable_Code_Point}', ''],
  }),
  ...checksOf('contracts', 'plugins/guardrail/media.ts', bypasses, {
    'media are known by their members': ['places.has(name) && base64', 'base64'],
  }),
  ...checksOf('contracts', 'plugins/guardrail/windows.ts', longTexts, {
    'a match across two windows is found': ['return text.slice(from, end)', "return ''"],
    'invisible characters do not fill the rest of a window': [
      'spelledOut(text.slice(end, next)).length',
      'next - end',
    ],
    'patterns do not look behind endless invisible characters': [
      'if (end - from > mostInvisible) throw unseen()',
      '',
    ],
  }),
  ...checksOf('contracts', 'plugins/guardrail/rules.ts', longTexts, {
    'a text does not grow eighteenfold': [
      'if (spelled.text.length > mostGrowth(masked.text.length)) throw this.#refusal(rule)',
      '',
    ],
  }),
  ...checksOf('contracts', 'src/lib/is-base64.ts', texts, {
    'words have not all letters of base64': [
      'if (![/[a-z]/, /[A-Z]/, /\\d/].every((letters) => letters.test(start))) return false',
      '',
    ],
    'words have not the length of base64': ['if (content.length % 4 !== 0) return false', ''],
    'bytes of text are text': ['return !isText(', 'return Boolean('],
  }),
  ...checksOf('contracts', 'src/kit/request-texts.ts', texts, {
    'signed reasoning keeps its text': [
      'part.signature ? part.text : yield* resultOf(change(part.text))',
      'yield* resultOf(change(part.text))',
    ],
    'a text may become empty': [
      '...(endUser !== undefined && { endUser }),',
      '...(endUser && { endUser }),',
    ],
  }),
  ...checksOf('contracts', 'plugins/response-cache/index.ts', cache, {
    'a reply with a container is its caller’s': [' && !isHeld(outcome)', ''],
  }),
  ...checksOf('contracts', 'plugins/response-cache/question.ts', cache, {
    'a reply that later calls name is its caller’s': [' || call.replyNamedAs', ''],
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

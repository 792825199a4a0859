import { checksOf } from '../mutation.ts'

const bypasses = ['test/plugins/shipped/guardrail-bypasses.test.ts']
const cache = ['test/plugins/shipped/response-cache-attacks.test.ts']
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
  ...checksOf('contracts', 'plugins/jwt/issuer-keys.ts', jwt, {
    'tokens of unknown keys do not ask the issuer each time': [
      'await readAfter(pauseMs)',
      'await readAfter(0)',
    ],
    'keys are too old after a day': ['if (keys && age < usableMs) {', 'if (keys) {'],
  }),
]

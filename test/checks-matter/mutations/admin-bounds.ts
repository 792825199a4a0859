import { checksOf } from '../mutation.ts'

const variables = ['test/admin/http/variables.test.ts']
const lateBody = ['test/admin/http/late-body.test.ts']
const meanwhile = ['test/admin/http/ended-meanwhile.test.ts']
const streams = ['test/admin/http/streams.test.ts']
const answers = ['test/admin/http/oidc-answers.test.ts']
const recent = ['test/admin/recent.test.ts']
const captures = ['test/capture/capture.test.ts']
const lines = ['test/plugins/access-log-bounds.test.ts']
const tokens = ['test/plugins/shipped/jwt.test.ts']

/** What one client, one provider or one record may take of the process, its time and its disk. */
export const adminBoundChecks = [
  ...checksOf('admin', 'src/admin/http/variables.ts', variables, {
    'bounds: an object of variables has few unknown members': [
      'if (Object.keys(members).length > fields.length + mostUnknown)',
      'if (Number(fields.length) < 0)',
    ],
    'bounds: lists in variables are examined': [
      'return firstFault(items, (value) => faultOf({ name, type, value }))',
      'return undefined',
    ],
    'bounds: a list in variables has an end': ['if (items.length > longestList)', 'if (false)'],
    'bounds: all variables together have an end': ['if (++values > mostValues)', 'if (false)'],
    'bounds: a thousand models are no long list': ['longestList = 1_000', 'longestList = 999'],
  }),
  ...checksOf('admin', 'src/admin/http/guard.ts', variables, {
    'bounds: variables of subscriptions are examined': [
      'if (fault) return setResultAndStopExecution({ errors: [fault] })\n',
      '\n',
    ],
  }),
  ...checksOf('auth', 'src/admin/server.ts', lateBody, {
    'bounds: a body that comes late has a token that is still valid': [
      'const who = await latestWho()',
      'const who = admitted',
    ],
  }),
  ...checksOf('auth', 'src/admin/still-permitted.ts', meanwhile, {
    'meanwhile: an act needs a token that is still valid': [
      "if (now !== 'over' && isAtLeast(now.role, role)) return { ...context, principal: now }",
      "if (now === 'over' || isAtLeast(now.role, role)) return context",
    ],
    'meanwhile: an act needs the role as it is now': [
      "now !== 'over' && isAtLeast(now.role, role)",
      "now !== 'over'",
    ],
    'meanwhile: a refused act has a record': ['await services.refusals.note({', 'void ({'],
    'meanwhile: a query ends with its token': [
      "if (now === 'over') return ended()",
      "if (now === 'over') return undefined",
    ],
    'meanwhile: a query ends with its role': ['isAtLeast(now.role, principal.role)', 'true'],
  }),
  ...checksOf('auth', 'src/admin/http/standing.ts', meanwhile, {
    'meanwhile: a look counts for a second': [
      'if (uptime() - at < trustedMs) return who',
      'return who',
    ],
  }),
  ...checksOf('auth', 'src/admin/http/streams.ts', streams, {
    'meanwhile: a stream ends with its role': ['!isAtLeast(who.principal.role, role)', 'false'],
  }),
  ...checksOf('auth', 'src/admin/oidc.ts', answers, {
    'bounds: the description of a provider has an end': [
      '    [library.customFetch]: boundedFetch(mostBytes),\n',
      '',
    ],
  }),
  ...checksOf('auth', 'plugins/jwt/issuer-keys.ts', tokens, {
    'bounds: the keys of an issuer have an end': [
      'textWithin(response, longestSet)',
      'response.text()',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/exchanges.ts', recent, {
    'bounds: a filter of exchanges is short': [
      'for (const [name, value] of given) checkLength(`filter.${name}`, value)\n',
      '\n',
    ],
    'bounds: a cursor of exchanges is short': ["checkLength('after', after)\n", '\n'],
  }),
  ...checksOf('admin', 'src/capture/records.ts', captures, {
    'bounds: a record names no file elsewhere': [
      'value && isCaptureId(id) && isCapture',
      'value && isCapture',
    ],
  }),
  ...checksOf('admin', 'src/capture/entry.ts', captures, {
    'bounds: names of a query hide keys': ['clean(name),', 'name,'],
    'bounds: shown values of a query hide keys': [
      "shownParameters.has(name) ? clean(value) : '[hidden]'",
      "shownParameters.has(name) ? value : '[hidden]'",
    ],
  }),
  ...checksOf('errors', 'plugins/access-log.ts', lines, {
    'bounds: a line names few excluded accounts': ['excluded.slice(0, maxExcluded)', 'excluded'],
    'bounds: a line counts the other excluded accounts': [
      'length > maxExcluded ? length - maxExcluded : undefined',
      'undefined',
    ],
  }),
]

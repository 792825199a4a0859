import { checksOf } from '../mutation.ts'

const stripped = ['test/auth/stripped.test.ts']
const hops = ['test/auth/queries-and-hops.test.ts']

const forwarded = 'src/exchange/forwarded.ts'
const decision = 'header: remember((name) => (exact'

/** The client's headers of these names go on, whatever else is said of them. */
function letThrough(names: RegExp): readonly [find: string, replace: string] {
  return [decision, `header: remember((name) => ${String(names)}.test(name) || (exact`]
}

/** What of a client's request stays here, and what of an upstream's reply. */
export const headerChecks = [
  ...checksOf('auth', forwarded, stripped, {
    'headers that nobody names stay here': letThrough(/^x-custom$/),
    'credentials stay here': letThrough(/^x-auth-token$/),
    'traces stay here': letThrough(/^trace(parent|state)$/),
    'organisations stay here': letThrough(/^openai-organization$/),
    'what is said to the gateway stays here': letThrough(/^x-dragoman-/),
    'parts of a reply are not asked for': letThrough(/^range$/),
    'a beginning names no person': [' && !isPersonalHeader(name)', ''],
    'a beginning names no credential': [' && !isRefusedHeader(name)', ''],
  }),
  ...checksOf('auth', forwarded, hops, {
    'a key stays here, whatever header it came in': [
      'if (credential !== undefined && text.includes(credential)) continue',
      '',
    ],
  }),
  ...checksOf('auth', forwarded, hops, {
    'te stays on its connection': letThrough(/^te$/),
    'host stays on its connection': letThrough(/^host$/),
    'headers that the connection names stay on it': ['named?.includes(name)', 'false'],
    'parameters that nobody names stay here': ["query.has(name.replace(/\\[\\]$/, '')) && ", ''],
    'a key stays here, whatever parameter it came in': ['value.includes(credential)', 'false'],
    'a parameter brings no other with it': ['plainPair.test(pair) ? pair :', 'pair ? pair :'],
  }),
  ...checksOf('auth', 'src/upstream/native-request.ts', hops, {
    'a query goes by the names of its dialect': ['forwardedQuery(query, recipient)', 'query'],
  }),
  ...checksOf('auth', 'src/exchange/headers.ts', hops, {
    'reply headers pass by name': [
      'passedReplyHeaders.has(name) || passedReplyPrefixes.some((prefix) => name.startsWith(prefix))',
      '!/^(connection|keep-alive|date|transfer-encoding|content-length)$/.test(name)',
    ],
  }),
  ...checksOf(
    'requests',
    'src/configuration/forward-schema.ts',
    ['test/configuration/forward.test.ts'],
    {
      'no credential is configured to pass': ['return !isRefusedHeader(lower)', 'return true'],
      'no beginning of a credential is configured to pass': [
        " && !isRefusedHeader(beginning.replace(/[-_]$/, ''))",
        '',
      ],
      'not everything is configured to pass': ['beginning.length >= shortestBeginning', 'true'],
      'no parameter of a credential is configured to pass': [
        '.refine((name) => !isRefusedParameter(name))',
        '',
      ],
    },
  ),
]

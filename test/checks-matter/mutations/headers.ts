import { checksOf } from '../mutation.ts'

const stripped = ['test/auth/stripped.test.ts']
const others = ['test/checks-matter/auth.test.ts']
const hops = ['test/auth/queries-and-hops.test.ts']

const forwarded = 'src/exchange/headers.ts'
const decision = '(name) =>\n    !dropped.has(name) &&'

/** The client's headers of these names go on, whatever else is said of them. */
function letThrough(names: RegExp): readonly [find: string, replace: string] {
  return [decision, `(name) =>\n    ${String(names)}.test(name) || !dropped.has(name) &&`]
}

/** What of a client's request stays here, and what of an upstream's reply. */
export const headerChecks = [
  ...checksOf('auth', forwarded, others, {
    'authorization stays here': letThrough(/^authorization$/),
    'x-api-key stays here': letThrough(/^x-api-key$/),
    'x-goog-api-key stays here': letThrough(/^x-goog-api-key$/),
    'the page of a browser stays here': letThrough(/^(origin|referer)$/),
  }),
  ...checksOf('auth', forwarded, stripped, {
    'API keys of other services stay here': letThrough(
      /^(api.key|.*-api-key|.*-subscription-key)$/,
    ),
    'proxy credentials stay here': letThrough(/^proxy-authorization$/),
    'tokens stay here': letThrough(/token/),
    'secrets stay here': letThrough(/secret/),
    'passwords stay here': letThrough(/password/),
    'credentials by that name stay here': letThrough(/credentials/),
    'cookies stay here': letThrough(/cookie/),
    'baggage stays here': letThrough(/^baggage$/),
    'traces stay here': letThrough(/^trace(parent|state)$/),
    'the way of a request stays here': letThrough(/^(forwarded|via|x-forwarded-.*)$/),
    'addresses stay here': letThrough(/-ip$/),
    'organisations stay here': letThrough(/^openai-organization$/),
    'projects stay here': letThrough(/^(openai-project|x-goog-user-project)$/),
    'workspaces and profiles stay here': letThrough(/^anthropic-(workspace|user-profile)-id$/),
    'the id of a request stays here': letThrough(/^x-request-id$/),
    'what is said to the gateway stays here': letThrough(/^x-dragoman-/),
  }),
  ...checksOf('auth', forwarded, ['test/third-party/shout-dialect/say.test.ts'], {
    'a key stays here, whatever header it came in': ['!text.includes(credential)', 'true'],
  }),
  ...checksOf('auth', forwarded, hops, {
    'keep-alive stays on its connection': letThrough(/^keep-alive$/),
    'proxy-connection stays on its connection': letThrough(/^proxy-connection$/),
    'te stays on its connection': letThrough(/^te$/),
    'trailer stays on its connection': letThrough(/^trailer$/),
    'upgrade stays on its connection': letThrough(/^upgrade$/),
    'expect stays on its connection': letThrough(/^expect$/),
    'host stays on its connection': letThrough(/^host$/),
    'headers that the connection names stay on it': ['named?.includes(name)', 'false'],
    'reply headers pass by name': [
      'passedReplyHeaders.has(name) || passedReplyPrefixes.some((prefix) => name.startsWith(prefix))',
      '!/^(connection|keep-alive|date|transfer-encoding|content-length)$/.test(name)',
    ],
  }),
  ...checksOf('auth', forwarded, ['test/requests/encodings.test.ts'], {
    'a coding that was undone is not named': letThrough(/^content-encoding$/),
  }),
]

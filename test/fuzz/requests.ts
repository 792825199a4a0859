import { request } from 'node:http'

import type { AccountRequest } from '../../src/testing/fake-account.ts'
import { type DialectName, dialectNames, dialects } from '../requests/dialects.ts'
import { type Service, accountsAt, startService } from '../requests/service.ts'
import { Random, seedOf } from './random.ts'

/** A request that looks like one of a client, with names of headers and parameters that nobody has agreed on. */
interface WildRequest {
  readonly dialect: DialectName
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly model: string
}

/** Written down once more, so that a mistake in the lists of the source cannot hide. */
const everywhere =
  /^(?:user-agent|idempotency-key|x-client-request-id|x-stainless-[a-z0-9-]+|session[-_]id|x-session-(?:id|affinity)|x-sandbox)$/
const ofOpenAi = /^(?:openai-beta|originator|version|x-codex-[a-z0-9-]+)$/
const allowed: Record<DialectName, { headers: RegExp; query: RegExp }> = {
  chat: { headers: ofOpenAi, query: /^$/ },
  responses: {
    headers: ofOpenAi,
    query:
      /^(?:beta|include|include_obfuscation|stream|starting_after|after|before|limit|order)(?:\[\])?$/,
  },
  messages: {
    headers: /^(?:anthropic-[a-z0-9-]+|x-app|x-claude-code-[a-z0-9-]+)$/,
    query: /^beta(?:\[\])?$/,
  },
  generate: {
    headers: /^(?:x-goog-api-client|x-server-timeout)$/,
    query: /^(?:pageSize|pageToken)(?:\[\])?$/,
  },
}

/** What the gateway itself and its HTTP client say to every account. */
const own =
  /^(?:host|connection|accept|accept-encoding|content-type|content-length|authorization|x-api-key|x-goog-api-key|anthropic-version)$/

const secrets = /token|secret|cookie|credential|password|organi[sz]ation|project|workspace|tenant/

const words =
  'x anthropic openai goog stainless codex claude code session sandbox api key token id beta version user agent forwarded for host original url http method override remote ssl client verify range if none match proxy via te upgrade expect cookie authorization trace parent organization project workspace app originator request timeout amz cf sec acme prefer'.split(
    ' ',
  )

const parameters =
  'include include[] limit order after before starting_after beta stream pageSize pageToken alt $alt key $key oauth_token access_token callback fields quotaUser api_key model x include[x] Include in%63lude %6bey %24alt limit%00 prettyPrint'.split(
    ' ',
  )

const values = [
  '1',
  'true',
  '',
  'a.b',
  'a;oauth_token=z',
  'a%26key%3Dz',
  'a%0d%0ax-evil:z',
  '%ff',
  '%zz',
  'a?key=z',
  'a/../b',
  "a'b",
  'a,b',
  '\u00e9',
  '+',
  'a=b=c',
]

const segments = [
  'ngpub-',
  'a',
  '..',
  '.',
  '',
  '%2e%2e',
  '%2f',
  '\\',
  ';',
  '?',
  '#',
  '\0',
  '\ud800',
  '．．',
  '…',
  'é',
  ' ',
  ':',
  '@',
]

function wildRequest(random: Random): WildRequest {
  const dialect = random.pick(dialectNames)
  const headers = Array.from({ length: random.below(12) }, () => {
    const name = Array.from({ length: 1 + random.below(4) }, () => random.pick(words))
    return [name.join(random.oneIn(6) ? '_' : '-'), `v${random.below(9)}`] as const
  })
  const pairs = Array.from({ length: random.below(6) }, () =>
    random.oneIn(8)
      ? random.pick(parameters)
      : `${random.pick(parameters)}=${encodeURI(random.pick(values)).replaceAll('%25', '%')}`,
  )
  const model = random.oneIn(3)
    ? Array.from({ length: 1 + random.below(5) }, () => random.pick(segments)).join(
        random.oneIn(2) ? '/' : '',
      )
    : 'm'
  const query = pairs.join(random.oneIn(9) ? '&&' : '&')
  const name = model.isWellFormed() ? encodeURIComponent(model) : '%ED%A0%80'
  const path = dialects[dialect].path.replace('models/m:', `models/${name}:`)
  return { dialect, path: query ? `${path}?${query}` : path, headers, model }
}

/** What is wrong with the requests that reached the account, by the number of the case. */
export async function requestComplaints(seed: number, count: number): Promise<string[]> {
  await using service = await startService()
  service.gateway.reload({ accounts: accountsAt(service.upstream.url, ['*']) })
  const complaints: string[] = []
  for (let number = 0; number < count && complaints.length < 5; number++) {
    const wild = wildRequest(new Random(seedOf(seed, 'request', number)))
    const before = service.upstream.requests.length
    const status = await send(service, wild)
    const [received, ...more] = service.upstream.requests.slice(before)
    const found = received ? judge(wild, received) : []
    if (status >= 500) found.push(`status ${status}`)
    if (more.length > 0) found.push('it was sent more than once')
    const shown = JSON.stringify([wild, received?.url])
    complaints.push(...found.map((what) => `case ${number}: ${what}: ${shown}`))
  }
  return complaints
}

function judge({ dialect }: WildRequest, { url, headers }: AccountRequest): string[] {
  const [path = '', query] = url.split('?')
  const names = allowed[dialect]
  return [
    ...Object.keys(headers).flatMap((name) => {
      if (own.test(name)) return []
      const isNamed = everywhere.test(name) || names.headers.test(name)
      return isNamed && !secrets.test(name) ? [] : [`the header ${name} passed`]
    }),
    ...(isAmbiguous(path) ? ['the path can be read in two ways'] : []),
    ...(query ?? '').split(/[&;?]/).flatMap((pair) => {
      const [name = ''] = new URLSearchParams(pair).keys()
      return pair === '' || names.query.test(name) ? [] : [`the parameter ${name} passed`]
    }),
  ]
}

/** Whether a server or a proxy that decodes a path, once or several times, finds other segments in it. */
function isAmbiguous(path: string): boolean {
  const { length } = path.split('/')
  let decoded = path
  for (let times = 0; times < 6; times++) {
    const segments = decoded.normalize('NFKC').split(/[/\\]/)
    if (segments.length !== length || segments.slice(1).some((one) => /^[.\s]*$/.test(one)))
      return true
    if (/[;?#]|\p{Cc}/u.test(decoded)) return true
    try {
      decoded = decodeURIComponent(decoded)
    } catch {
      return true
    }
  }
  return false
}

/** Sends headers and paths that `fetch` would change or refuse. */
function send(
  { gateway }: Service,
  { dialect, path, headers, model }: WildRequest,
): Promise<number> {
  const { credential, request: body } = dialects[dialect]
  const { hostname, port } = new URL(gateway.url)
  const sending = request({
    hostname,
    port,
    path,
    method: 'POST',
    agent: false,
    headers: { ...Object.fromEntries(headers), ...credential(gateway.key), host: 'gateway' },
  })
  const text = JSON.stringify(dialect === 'generate' ? body : { ...body, model })
  return new Promise((resolve, reject) => {
    sending.once('error', reject)
    sending.once('response', (response) =>
      response.resume().once('end', () => resolve(response.statusCode ?? 0)),
    )
    sending.end(text)
  })
}

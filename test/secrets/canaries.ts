import type { FakeAccount } from '../../src/testing/fake-account.ts'

/** A key with characters that encodings change. */
export const secret = 'sk-canary/Key+9z~x=1'
/** A base path with the key of a proxy. */
export const basePath = '/base-canary-7f3/tenant/v1'
/** What an account says of its owner. */
const organisation = 'org-canary-of-the-account'

/** Where the accounts of a test are, by a name that only the account itself would say. */
export const placeOf = ({ url }: FakeAccount) => url.replace('127.0.0.1', 'localhost')

const basic = Buffer.from(`user:${secret}`).toString('base64')

/** Everything that an account could say about itself, in the forms in which servers write it. */
export function everything(url: string): string {
  const { host, port } = new URL(url)
  return [
    `key ${secret}`,
    `Bearer ${secret}`,
    `?key=${encodeURIComponent(secret)}`,
    encodeURIComponent(secret).toLowerCase(),
    encodeURIComponent(encodeURIComponent(secret)),
    `<p title="${inHtml(secret)}">${inHtml(inHtml(`${url}${basePath}`))}</p>`,
    `Basic ${basic}`,
    Buffer.from(secret).toString('base64url'),
    Buffer.from(`ab${secret}cd`).toString('base64'),
    JSON.stringify({ nested: secret, url: `${url}${basePath}` }).replaceAll('/', '\\/'),
    `POST ${url}${basePath}/chat/completions`,
    encodeURIComponent(`${url}${basePath}`),
    `connect to ${host}: refused, port ${port}, HTTP://${host.toUpperCase()}/`,
    `no route ${basePath}/responses, nor base-canary-7f3`,
  ].join(' | ')
}

/** A text as template engines escape it, which escape more characters than they have to. */
function inHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll(/[^\w&#;-]/g, (character) => {
    const code = character.charCodeAt(0)
    return code % 2 ? `&#x${code.toString(16).toUpperCase()};` : `&#${code};`
  })
}

/** Headers of a reply, of which some pass. */
export const headersOf = (url: string) => ({
  'x-ratelimit-limit-requests': everything(url),
  'x-ratelimit-remaining-tokens': secret,
  'anthropic-ratelimit-tokens-limit': new URL(url).host,
  'retry-after': `0 ${secret}`,
  'retry-after-ms': everything(url),
  'openai-version': basic,
  'openai-processing-ms': `${url}${basePath}`,
  'openai-poll-after-ms': encodeURIComponent(secret),
  'openai-organization': organisation,
  'set-cookie': organisation,
  'x-request-id': organisation,
  via: organisation,
})

/** The canaries in a text, whatever encodes it: escapes of JSON, HTML or a URL, or base64. */
export function canariesIn(text: string, url: string): string[] {
  const { host, port } = new URL(url)
  const hidden = [
    secret,
    encodeURIComponent(secret),
    basic.slice(8, -3),
    Buffer.from(secret).toString('base64url').slice(0, -2),
    Buffer.from(`ab${secret}cd`).toString('base64').slice(4, -4),
    host,
    encodeURIComponent(host),
    `:${port}`,
    `port ${port}`,
    'base-canary',
    organisation,
  ]
  const readings = [text, unescaped(text), unescaped(unescaped(text))]
  for (const decode of [unencoded, plainOf]) {
    readings.push(decode(text), decode(decode(text)), decode(decode(decode(text))))
  }
  return hidden.filter((canary) =>
    readings.some((reading) => reading.toLowerCase().includes(canary.toLowerCase())),
  )
}

function unescaped(text: string): string {
  return text
    .replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replaceAll(/\\(.)/g, '$1')
}

function plainOf(html: string): string {
  return html
    .replaceAll(/&#x([\da-f]+);/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&amp;', '&')
}

function unencoded(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
}

/** The whole of a reply: status line apart, everything that a client can read. */
export async function wholeOf(response: Response): Promise<string> {
  const body = await response.text().catch((error: unknown) => String(error))
  return `${JSON.stringify([...response.headers])}\n${body}`
}

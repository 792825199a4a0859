import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

import { type DialectName, dialectNames, dialects } from '../requests/dialects.ts'
import { type Service, accountsAt, answerAnything, startService } from '../requests/service.ts'
import { Random, seedOf } from './random.ts'

const codings = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const

type Coding = keyof typeof codings

/** A body of a request, or of a reply, in some codings, which it may not really be in. */
interface OddBody {
  readonly text: string
  readonly bytes: Buffer
  readonly encoding: string
  /** Whether the bytes are in the codings that the header names. */
  readonly isWhole: boolean
}

const units = ['{},', '[],', '1,', '"",', '"\\u0000",', 'null,', '"a":1,', '[[],']

/** A value of any shape, small or large, which need not be JSON. */
function oddValue(random: Random): string {
  const count = random.pick([1, 10, 1_000, 30_000, 90_000])
  switch (random.below(7)) {
    case 0:
      return `[${random.pick(units).repeat(count)}1]`
    case 1:
      return (
        '['.repeat(random.pick([1, 100, 196, 197, 198, 201, count])) +
        ']'.repeat(random.pick([1, 100, 196, count]))
      )
    case 2:
      return JSON.stringify(
        random.pick(['a', '\\', '"', '\u0000', 'é', '漢', '😀', '\ud83d']).repeat(count),
      )
    case 3:
      return `{${Array.from({ length: Math.min(count, 30_000) }, (_, at) => `"${at * random.pick([1, 65_536])}":1`).join(',')}}`
    case 4:
      return '1'.repeat(count)
    case 5:
      return ' '.repeat(count * 10) + random.pick(['1', 'tru', ']', '"', '"x'])
    default:
      return `"${'x'.repeat(count)}${random.pick(['"', '', '\\', '\\u00', '\\x"', '\u0001"'])}`
  }
}

function oddBody(random: Random, smallest: object): OddBody {
  const whole = JSON.stringify(smallest)
  const text = random.oneIn(8)
    ? oddValue(random)
    : whole.replace(/\}$/, `,"odd":${oddValue(random)}}`)
  const names = Array.from({ length: random.below(4) }, () =>
    random.pick(Object.keys(codings) as Coding[]),
  )
  const packed = names.reduce<Buffer>((inner, name) => codings[name](inner), Buffer.from(text))
  const isCut = names.length > 0 && random.oneIn(4)
  const encoding = random.oneIn(10) ? [...names, 'lzma'].join(', ') : names.join(', ')
  return {
    text,
    bytes: isCut ? packed.subarray(0, random.below(packed.length)) : packed,
    encoding,
    isWhole: !isCut && !encoding.includes('lzma') && names.length <= 2,
  }
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** What is wrong with how the gateway takes bodies of odd shapes from clients and accounts. */
export async function bodyComplaints(seed: number, count: number): Promise<string[]> {
  const complaints: string[] = []
  let reply: OddBody | undefined
  await using service = await startService({}, (response, request) => {
    if (!reply) return answerAnything(response, request)
    const { bytes, encoding } = reply
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(encoding !== '' && { 'content-encoding': encoding }),
    })
    response.end(bytes)
  })
  for (let number = 0; number < count; number++) {
    const random = new Random(seedOf(seed, 'body', number))
    const dialect = random.pick(dialectNames)
    const isReply = random.oneIn(2)
    const body = oddBody(random, isReply ? dialects[dialect].reply : dialects[dialect].request)
    reply = isReply ? body : undefined
    const complaint = isReply
      ? await complaintOfReply(service, dialect, body)
      : await complaintOfRequest(service, dialect, body)
    // Accounts whose replies cannot be read are left alone for a while.
    if (isReply) service.gateway.reload({ accounts: accountsNamed(service.upstream.url, number) })
    const held = service.gateway.gateway.held()
    for (const one of [complaint, held > 0 ? `${held} bytes are still held` : undefined]) {
      if (one !== undefined) complaints.push(`body ${number} of seed ${seed}, ${dialect}: ${one}`)
    }
  }
  return complaints
}

function accountsNamed(url: string, number: number) {
  return accountsAt(url).map((account) => ({ ...account, id: `${account.id}-${number}` }))
}

async function complaintOfRequest(
  service: Service,
  dialect: DialectName,
  { text, bytes, encoding, isWhole }: OddBody,
): Promise<string | undefined> {
  const before = service.upstream.requests.length
  const headers = encoding === '' ? {} : { 'content-encoding': encoding }
  const { status } = await service.post(dialect, Buffer.from(bytes), { headers })
  const received = service.upstream.requests.slice(before).at(-1)
  if (status === 200 && !isWhole) return 'bytes in another coding passed'
  if (status === 200 && !isObject(text)) return 'what is no object passed'
  if (status === 200 && received?.body.toString() !== text) return 'the account got other bytes'
  if (status === 200 || (status >= 400 && status < 500 && !received)) return undefined
  return `answered ${status}${received ? ' after the account was asked' : ''}`
}

async function complaintOfReply(
  service: Service,
  dialect: DialectName,
  { text, isWhole }: OddBody,
): Promise<string | undefined> {
  const response = await service.ask(dialect)
  const received = await response.text()
  if (response.status === 200 && !isWhole) return 'a reply in another coding passed'
  if (response.status === 200 && received !== text) return 'the client got other bytes'
  return [200, 502, 503].includes(response.status) ? undefined : `a reply became ${response.status}`
}

import type { Routed } from '../../src/contract/exchange.ts'
import type { Outcome } from '../../src/contract/outcome.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import type { GenerateEvent } from '../../src/generate/events.ts'
import type { EventMapper } from '../../src/generate/mapper.ts'
import { type DialectName, type Reading, readers } from '../translate/clients/index.ts'
import { generateReader } from '../translate/clients/generate.ts'
import { approach, exchangeOf } from '../translate/kernel.ts'
import { relayed, type Relayed, replied } from '../translate/relayed.ts'
import { type BodyCase, type Case, chunksOf, type StreamCase } from './case.ts'
import { mayAnswer, mayEndWell } from './oracle.ts'
import { disorderOf } from './order.ts'

/** What is wrong with how a case went; nothing where it went as it should. */
export async function complaintsOf(one: Case): Promise<string[]> {
  try {
    return one.kind === 'stream' ? await judgeStream(one) : await judgeBody(one)
  } catch (error) {
    return [`threw ${told(error)}`]
  }
}

async function judgeStream(one: StreamCase): Promise<string[]> {
  const seen = new Watcher()
  const exchange = exchangeFor(one)
  const reply = relayed(chunksOf(one), await approach(exchange, [seen]))
  const wire = Buffer.concat(one.frames)
  return [
    ...disorderOf(seen.events).map((what) => `events: ${what}`),
    ...complaintsOfError(reply.error),
    ...complaintsOfWire(reply, one),
    ...complaintsOfSize(reply.wire.length, wire.length),
    ...(one.chunk === 64 ? await complaintsOfChunks(reply, wire, exchange) : []),
    ...(reply.outcome && !mayEndWell(one.account, wire) ? ['a broken stream passed'] : []),
  ]
}

function complaintsOfWire({ wire, outcome }: Relayed, one: StreamCase): string[] {
  const reader = one.client === 'generate' && one.asArray ? arrayReader : readers[one.client]
  const { ending } = reader.stream(wire)
  if (outcome) return ending === 'complete' ? [] : [`a complete stream reads as ${ending}`]
  return ending === 'failed' ? [] : [`a broken stream reads as ${ending}`]
}

const arrayReader = generateReader('array')

/** However the network cuts a stream, it ends in the same way. */
async function complaintsOfChunks(
  reply: Relayed,
  wire: Buffer,
  exchange: Routed,
): Promise<string[]> {
  const whole = relayed([wire], await approach(exchange))
  return endingOf(reply) === endingOf(whole) ? [] : ['the chunks of the network matter']
}

/** With a broken stream, what it is called. */
function endingOf({ outcome, error }: Relayed): string {
  return outcome?.status ?? error?.code ?? ''
}

async function judgeBody({ client, account, body }: BodyCase): Promise<string[]> {
  const { outcome, body: answer } = await answerTo(body, exchangeOfPair(client, account, false))
  if (outcome.status === 'failed') return complaintsOfError(outcome.error)
  const read: Reading = readers[client].body(answer!)
  return [
    ...(read.ending === 'complete' ? [] : [`a complete reply reads as ${read.ending}`]),
    ...(mayAnswer(account, body) ? [] : ['an answer without an answer passed']),
    ...complaintsOfSize(JSON.stringify(answer).length, JSON.stringify(body).length),
  ]
}

async function answerTo(body: unknown, exchange: Routed): ReturnType<typeof replied> {
  const asked = await approach(exchange)
  try {
    return await replied(body, asked)
  } catch (error) {
    if (!GatewayError.isInstance(error)) throw error
    const outcome: Outcome = { status: 'failed', fault: 'account', error }
    return { outcome, body: undefined }
  }
}

/** The gateway's own name for code that threw. */
function complaintsOfError(error: GatewayError | undefined): string[] {
  return error?.code === 'internal_error' ? [`the code threw ${told(error.cause)}`] : []
}

/** Text may be told several times, and each event has fields of its own. */
function complaintsOfSize(written: number, read: number): string[] {
  const most = 100_000 + 50 * read
  return written > most ? [`${written} bytes were made of ${read}`] : []
}

function exchangeFor({ client, account, asArray }: StreamCase): Routed {
  return exchangeOfPair(client, account, true, client === 'generate' && asArray)
}

const exchanges = new Map<string, Routed>()

/** Requests are read once for each pair. */
function exchangeOfPair(
  client: DialectName,
  account: DialectName,
  stream: boolean,
  asArray = false,
): Routed {
  const name = [client, account, stream, asArray].join()
  const known = exchanges.get(name)
  const exchange = known ?? exchangeOf({ client, account, stream, ...(asArray && { query: '' }) })
  exchanges.set(name, exchange)
  return exchange
}

/** Sees the events between account and client. */
class Watcher implements EventMapper {
  readonly events: GenerateEvent[] = []

  map(event: GenerateEvent, emit: (event: GenerateEvent) => void): void {
    this.events.push(event)
    emit(event)
  }
}

function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.message} ${error.stack?.split('\n').slice(1, 4).join('').replaceAll(/\s+/g, ' ')}`
}

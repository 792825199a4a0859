import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'

import type { GenerateCodec } from '../../contract/codec.ts'
import { GatewayError } from '../../contract/errors.ts'
import type { Framing } from '../../contract/framing.ts'
import type { GenerateRequest, Turn } from '../../generate/request.ts'
import { type Feature, lackOf } from '../../generate/unsupported.ts'
import { sse } from '../../kit/framing/sse.ts'
import type { ContractCheck } from './check.ts'
import { checkOrder } from './event-order.ts'
import type { JsonObject } from '../../lib/json/object.ts'
import { contains } from './codec-contains.ts'
import {
  type SampleRequest,
  featureRequests,
  plainRequests,
  requestWith,
  settingRequests,
} from './codec-requests.ts'
import { endingChecks } from './codec-endings.ts'
import { replyChecks } from './codec-replies.ts'
import { results } from './codec-results.ts'
import { signatureChecks } from './codec-signatures.ts'
import { toolChecks } from './codec-tools.ts'
import { type CodecStage, type StageCheck, stageCodec } from './codec-stage.ts'

/** The options of `codecContract`. */
export interface CodecContractOptions {
  readonly codec: GenerateCodec
  /** How the streams of the dialect are framed. Default: server-sent events. */
  readonly framing?: Framing
  /** The model of requests to accounts. Default: `model-1`. */
  readonly model?: string
  /**
   * Features that are written in a form that clients of the dialect use for something else, or that they need
   * not ask for: `decodeRequest` does not read them from a request to an account, or does not note them.
   */
  readonly oneWay?: readonly Feature[]
  /** The names of tools that accounts accept. Default: 1 to 64 letters, digits, `_` and `-`. */
  readonly toolNames?: RegExp
  /** The body of the client's request, where replies depend on it. */
  readonly clientBody?: JsonObject
}

const usualToolNames = /^[a-zA-Z0-9_-]{1,64}$/

const features = Object.keys(featureRequests) as Feature[]

/**
 * The contract of every codec: what it writes it reads again, whole and as events, and it carries or declares
 * every feature of the neutral model. With vitest:
 * `for (const check of codecContract({ codec })) test(check.name, check.run)`.
 */
export function codecContract(options: CodecContractOptions): ContractCheck[] {
  const { codec, framing = sse, model = 'model-1', oneWay = [], clientBody = {} } = options
  const { toolNames = usualToolNames } = options
  const check = (name: string, run: StageCheck['run']): ContractCheck => ({
    name,
    async run() {
      run(stageCodec(codec, { framing, model, clientBody }))
    },
  })
  return [
    check('every feature is supported or lacking, and not both', () => {
      deepEqual([...new Set(codec.supports)].toSorted(), codec.supports.toSorted())
      deepEqual(
        codec.supports.filter((feature) => codec.lacks?.[feature]),
        [],
      )
      deepEqual(
        codec.supports.filter((feature) => !features.includes(feature)),
        [],
      )
    }),
    ...Object.entries(plainRequests).map(([name, sample]) =>
      check(`${name} comes back as it was asked`, (stage) => {
        comesBack(stage, sample)
        deepEqual(stage.dropped, [])
      }),
    ),
    ...Object.entries(settingRequests).map(([name, sample]) =>
      check(`${name} comes back as it was asked, or is a loss`, (stage) => {
        const read = stage.roundTrip(requestWith(sample))
        if (stage.dropped.length === 0) comesBack(stage, sample)
        else ok(!isIn(read, sample), 'what is written is no loss')
      }),
    ),
    ...features.map((feature) =>
      lackOf(codec, feature)
        ? check(`${feature} is not supported, and not written`, (stage) =>
            isLacking(stage, feature),
          )
        : check(`${feature} is supported, and written`, (stage) =>
            isCarried(stage, feature, oneWay.includes(feature)),
          ),
    ),
    ...Object.entries(results).flatMap(([name, result]) => [
      check(`a reply of ${name} comes back as it was`, (stage) => {
        same(stage.resultTrip(result), result)
        deepEqual(stage.dropped, [])
      }),
      check(`the events of ${name} are the same reply`, (stage) => {
        const { result: collected, events } = stage.eventTrip(result)
        same(collected, result)
        checkOrder(events)
      }),
    ]),
    ...[...endingChecks, ...replyChecks, ...signatureChecks(codec), ...toolChecks(toolNames)].map(
      ({ name, run }) => check(name, run),
    ),
  ]
}

function comesBack(stage: CodecStage, sample: SampleRequest): void {
  const read = stage.roundTrip(requestWith(sample))
  ok(isIn(read, sample), `asked ${JSON.stringify(sample)}, read ${JSON.stringify(read)}`)
}

/** Whether a request is read as it was asked. Successive turns of tools are one. */
function isIn(read: GenerateRequest, sample: SampleRequest): boolean {
  return contains({ ...read, turns: joined(read.turns) }, sample)
}

function joined(turns: readonly Turn[]): Turn[] {
  return turns.reduce<Turn[]>((before, turn) => {
    const last = before.at(-1)
    if (turn.role !== 'tool' || last?.role !== 'tool') return [...before, turn]
    return [...before.slice(0, -1), { role: 'tool', results: [...last.results, ...turn.results] }]
  }, [])
}

function using(feature: Feature, sample: SampleRequest) {
  return requestWith({ ...sample, fields: { [feature]: feature } })
}

/** An account that supports a feature gets something for it, and a client's request with it is read so. */
function isCarried(stage: CodecStage, feature: Feature, isOneWay: boolean): void {
  const { with: sample, without = {}, otherwise } = featureRequests[feature]
  const asked = using(feature, sample)
  notEqual(stage.write(asked), stage.write(requestWith(without)), `${feature} is written`)
  const read = stage.roundTrip(asked)
  deepEqual(stage.dropped, [], 'what is supported is no loss')
  if (otherwise && isIn(read, otherwise)) return
  const isNoted = read.fields[feature] !== undefined
  const found = `asked ${JSON.stringify(sample)}, read ${JSON.stringify(read)}`
  equal(isNoted && isIn(read, sample), !isOneWay, found)
}

/**
 * Features that may be written although accounts do not support them: the gateway fetches files by their URL,
 * and an answer at the end is a turn as others are.
 */
const unchecked: ReadonlySet<Feature> = new Set([
  'assistant_prefill',
  'audio_url',
  'file_url',
  'image_url',
])

function isLacking(stage: CodecStage, feature: Feature): void {
  if (unchecked.has(feature)) return
  const { with: sample } = featureRequests[feature]
  try {
    const read = stage.roundTrip(using(feature, sample))
    ok(!isIn(read, sample), `${feature} is written, so that \`supports\` has to name it`)
  } catch (error) {
    // The codec may refuse what only native accounts serve.
    if (!GatewayError.isInstance(error)) throw error
  }
}

function same(found: unknown, result: (typeof results)[string]): void {
  const { choices, usage } = result
  ok(
    contains(found, { choices, usage }),
    `wrote ${JSON.stringify(result)}, read ${JSON.stringify(found)}`,
  )
  if (Object.keys(usage).length > 0) return
  // Some dialects have to write a number where none is known.
  const { usage: read } = found as typeof result
  ok(
    Object.values(read).every((tokens) => tokens === 0),
    'no usage is made up',
  )
}

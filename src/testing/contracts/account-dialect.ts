import { deepEqual, equal, match, ok } from 'node:assert/strict'

import type { AccountCodec } from '../../contract/codec.ts'
import type { Framing } from '../../contract/framing.ts'
import type { GatewayPlugin } from '../../contract/plugin.ts'
import type { RefusalSubject } from '../../contract/refusal.ts'
import type { GenerateResult } from '../../generate/result.ts'
import { parseObject } from '../../lib/json/object.ts'
import { sse } from '../../kit/framing/sse.ts'
import { answerJson } from '../fake-account.ts'
import { accountFeatures } from './account-features.ts'
import type { ContractCheck } from './check.ts'
import { requestWith } from './codec-requests.ts'
import { cutStreams } from './cut-streams.ts'
import { bytesOf } from './dialect-sample.ts'
import { type DialectStage, type Received, stageDialect } from './dialect-stage.ts'
import { framedEvents, readStream } from './read-stream.ts'
import { type Example, bodyOf, requestsFor, version } from './served.ts'

/** Replies of accounts on the wire, and what they mean. */
export interface AccountDialectSample {
  /** A provider whose accounts speak the dialect. */
  readonly provider: string
  /** A complete reply, and the frames of a complete stream of it, which only the last frame completes. */
  readonly reply: object
  readonly frames: readonly (string | Buffer)[]
  /** The text of both. */
  readonly text: string
  /**
   * The frames in which accounts report an error inside a stream, one for each form that they use, with this
   * message as their own. Such a frame may stand behind the first frame of `frames`, and before the last one.
   */
  errorFrames(message: string): readonly (string | Buffer)[]
  /** Error replies that the provider documents, one at least, with this message as its own. */
  refusals(message: string): readonly AccountRefusal[]
  /** A reply with a count of tokens, for a dialect with `generate.counting`. */
  readonly count?: { readonly reply: object; readonly tokens: number }
  /** How the frames are framed. Default: the framing of the dialect's accounts. */
  readonly framing?: Framing
}

/** An error reply of an account, and what the dialect reads in it. */
export interface AccountRefusal {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body: object
  readonly fault?: 'account' | 'caller'
  readonly about?: RefusalSubject
  readonly retryAfterMs?: number
}

/** The options of `accountDialectContract`. */
export interface AccountDialectContractOptions {
  /** The plugin that adds the dialect. Default: none, for a shipped dialect. */
  readonly plugins?: readonly GatewayPlugin[]
  /** The id of the dialect. */
  readonly dialect: string
  readonly sample: AccountDialectSample
}

const model = 'model-1'

/**
 * The contract of every dialect that accounts speak, checked over real sockets with clients of the other dialects.
 * With vitest: `for (const check of accountDialectContract({ plugins: [mine()], dialect: 'mine', sample }))
 * test(check.name, check.run)`.
 */
export function accountDialectContract(options: AccountDialectContractOptions): ContractCheck[] {
  const { sample, dialect } = options
  const { frames, errorFrames, refusals, count } = sample
  const clients = requestsFor(model).filter((one) => one.dialect !== dialect)
  const check = (
    name: string,
    run: (stage: DialectStage) => unknown,
    client = clients[0]!,
  ): ContractCheck => ({
    name,
    async run() {
      await using stage = await stageFor(options, client)
      await run(stage)
    },
  })
  return [
    ...clients.flatMap((client) => [
      check(
        `a client of ${client.dialect} reads the reply`,
        (at) => checkReply(at, sample),
        client,
      ),
      ...[1, 7, Infinity].map((size) =>
        check(
          `a client of ${client.dialect} reads the stream, cut into pieces of ${size}`,
          (at) => checkStream(at, sample, size),
          client,
        ),
      ),
    ]),
    check('a reply and its stream mean the same', (stage) => checkSame(stage, sample)),
    ...cutStreams(sample).map(({ name, whole, rest }) =>
      check(name, (stage) => checkCut(stage, sample, [...whole, rest])),
    ),
    ...errorFrames('').flatMap((_, form) =>
      [...new Set([1, frames.length - 1])].map((after) =>
        check(
          `error event ${form + 1} in a stream, after ${after} of ${frames.length} frames, is a failure without secrets`,
          (stage) => checkErrorEvent(stage, sample, { form, after }),
        ),
      ),
    ),
    check('the sample has error replies', () => ok(refusals('').length > 0)),
    ...refusals('').map(({ status }, at) =>
      check(`refusal ${at + 1}, with the status ${status}, is read, and shows no secret`, (stage) =>
        checkRefusal(stage, refusals(stage.tellingMessage)[at]!),
      ),
    ),
    check('an error reply that is no JSON is an error', async (stage) => {
      stage.answerWith(answerJson('<html>busy</html>', { status: 503 }))
      const { status, text } = await stage.ask(false)
      equal(status, 503)
      ok(parseObject(text), 'an error has a JSON body')
    }),
    ...accountFeatures.map(({ name, run }) =>
      check(name, async (stage) => {
        await stage.ask(false)
        run(codecOf(stage))
      }),
    ),
    ...(count ? [check('a count of tokens is read', (stage) => checkCount(stage, count))] : []),
  ]
}

async function stageFor(
  { plugins = [], dialect, sample }: AccountDialectContractOptions,
  { path, fields }: Example,
): Promise<DialectStage> {
  const stage = await stageDialect(
    {
      ...sample,
      path: path(false),
      streamPath: path(true),
      headers: version,
      request: bodyOf(fields, model, false),
      streamRequest: bodyOf(fields, model, true),
    },
    plugins,
    [dialect],
  )
  stage.answerWith(answerJson(sample.reply))
  return stage
}

/** The codec of the dialect, once a request has been sent to its account. */
function codecOf(stage: DialectStage): AccountCodec {
  const { generate } = stage.spoken()
  ok(generate, 'the dialect has `generate`')
  return generate.codec
}

async function checkReply(stage: DialectStage, { text }: AccountDialectSample): Promise<void> {
  const answer = await stage.ask(false)
  equal(answer.status, 200, answer.text)
  const client = stage.dialect().generate!.codec
  const result = client.decodeResult(parseObject(answer.text) ?? {}, requestWith({}))
  ok('choices' in result, 'the reply is no error')
  equal(textOf(result), text)
  for (const { headers } of stage.upstreamRequests()) {
    ok(!JSON.stringify(headers).includes(stage.gateway.key), 'the account reads no key of a client')
  }
}

async function checkStream(
  stage: DialectStage,
  { text, frames }: AccountDialectSample,
  size: number,
): Promise<void> {
  const whole = bytesOf(frames)
  const step = Math.min(size, whole.length)
  const pieces = Array.from({ length: Math.ceil(whole.length / step) }, (_, at) =>
    whole.subarray(at * step, (at + 1) * step),
  )
  stage.streamWith(pieces)
  const answer = await stage.ask(true)
  equal(answer.status, 200, answer.text)
  const result = readByClient(stage, answer)
  ok(result, 'the stream of the client is complete')
  equal(textOf(result), text)
  const [line] = await stage.gateway.logged(1)
  deepEqual([line?.['stream_end'], line?.['error_type']], ['complete', undefined])
}

/** What a client of a stream reads; `undefined` for a stream that is not complete. */
function readByClient(stage: DialectStage, { bytes }: Received): GenerateResult | undefined {
  const { codec } = stage.dialect().generate!
  return readStream(codec, framedEvents(sse, bytes, false), requestWith({})).result
}

/** Text, calls, endings and usage of a reply do not depend on how it came. */
async function checkSame(stage: DialectStage, { reply, frames }: AccountDialectSample) {
  await stage.ask(false)
  const codec = codecOf(stage)
  const whole = codec.decodeResult(structuredClone(reply) as Record<string, never>, requestWith({}))
  ok('choices' in whole, 'the reply is no error')
  const { result } = readStream(
    codec,
    framedEvents(stage.framing(), bytesOf(frames)),
    requestWith({}),
  )
  ok(result, 'the stream is complete')
  deepEqual(essenceOf(result), essenceOf(whole))
}

function essenceOf(result: GenerateResult): unknown {
  const { choices, usage } = result
  return {
    text: textOf(result),
    calls: choices.map(({ content }) =>
      content.flatMap((part) => (part.type === 'tool_call' ? [[part.name, part.arguments]] : [])),
    ),
    stops: choices.map(({ stop }) => stop.reason),
    usage,
  }
}

function textOf({ choices }: GenerateResult): string {
  const [first] = choices
  return (first?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}

async function checkCut(
  stage: DialectStage,
  { frames }: AccountDialectSample,
  pieces: readonly (string | Buffer)[],
): Promise<void> {
  ok(frames.length > 1, 'the sample has more than one frame')
  stage.streamWith([bytesOf(pieces)])
  await checkBroken(stage, await stage.ask(true))
  const [line] = await stage.gateway.logged(1)
  equal(line?.['error_type'], 'upstream_stream_broken', 'the access log names the broken stream')
}

/** The client learns that the stream broke: by the status of its reply, or by an error in its stream. */
async function checkBroken(stage: DialectStage, received: Received): Promise<void> {
  const { status, text } = received
  stage.checkSecrets(text)
  equal(stage.outcome()?.status, 'failed', 'the outcome is a failure')
  if (status !== 200) {
    ok(status >= 400, `a broken stream is no ${status}`)
    ok(parseObject(text), 'an error has a JSON body')
    return
  }
  equal(readByClient(stage, received), undefined, 'the client reads no complete stream')
  match(text, /"error"/, 'the client gets an error')
}

async function checkErrorEvent(
  stage: DialectStage,
  { frames, errorFrames }: AccountDialectSample,
  { form, after }: { readonly form: number; readonly after: number },
): Promise<void> {
  const good = bytesOf(frames.slice(0, after))
  const error = errorFrames(stage.tellingMessage)[form]
  ok(error !== undefined, 'the sample has this form of an error for every message')
  stage.streamWith([good, Buffer.from(error as Buffer)])
  await checkBroken(stage, await stage.ask(true))
  const [line] = await stage.gateway.logged(1)
  const type = line?.['error_type']
  ok(type !== 'upstream_stream_broken', 'the dialect reads the error of the account')
  ok(type !== 'internal_error', 'the dialect has a defect')
}

async function checkRefusal(
  stage: DialectStage,
  { status, headers = {}, body, fault, about, retryAfterMs }: AccountRefusal,
): Promise<void> {
  stage.answerWith(answerJson(body, { status, headers }))
  const { status: read, text } = await stage.ask(false)
  stage.checkSecrets(text)
  ok(read >= 400, `an error is no ${read}`)
  ok(parseObject(text), 'an error has a JSON body')
  const outcome = stage.outcome()
  equal(outcome?.httpStatus, status)
  if (fault) equal(outcome.fault, fault, 'whose fault it is')
  if (about) equal(outcome.about, about, 'the subject of the refusal')
  if (retryAfterMs !== undefined) equal(outcome.retryAfterMs, retryAfterMs, 'the pause')
  if (outcome.fault === 'caller') ok(text.includes('wrong: '), 'the client reads the message')
}

async function checkCount(
  stage: DialectStage,
  { reply, tokens }: Required<AccountDialectSample>['count'],
): Promise<void> {
  stage.answerWith(answerJson(reply))
  const { gateway } = stage
  const response = await fetch(`${gateway.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...version, 'x-api-key': gateway.key },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  deepEqual(await response.json(), { input_tokens: tokens })
}

import type {
  EncodedResult,
  EventEncoder,
  FrameSink,
  ReplyContext,
} from '../../../src/contract/codec.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import type { AssistantPart } from '../../../src/generate/content.ts'
import type { ErrorEvent, GenerateEvent } from '../../../src/generate/events.ts'
import type { GenerateResult, GenerateUsage, Stop } from '../../../src/generate/result.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { formatFrame } from '../../../src/lib/sse.ts'

const finishReasons: Readonly<Record<Stop['reason'], string>> = {
  stop: 'stop',
  tool_calls: 'stop',
  length: 'length',
  context: 'length',
  filtered: 'content_filter',
  refused: 'content_filter',
  paused: 'stop',
}

/** Writes a complete reply for a client. */
export function encodeResult(result: GenerateResult, context: ReplyContext): EncodedResult {
  const id = context.newId(prefix)
  const choices = result.choices.map(({ content, stop }, index) =>
    choiceOf(textIn(content, context), index, finishReasons[stop.reason]),
  )
  const usage = writeUsage(result.usage)
  const body = { ...headingOf(id, context), choices, ...(usage && { usage }) }
  return { id, items: [], body }
}

const prefix = 'cmpl-'

function headingOf(id: string, { now, model }: ReplyContext): JsonObject {
  return { id, object: 'text_completion', created: Math.floor(now / 1_000), model }
}

function choiceOf(text: string, index: number, reason: string | null): JsonObject {
  return { text, index, logprobs: null, finish_reason: reason }
}

/** Parts whose text a completion has. */
const shown: ReadonlySet<string> = new Set(['text', 'refusal'])

function textIn(content: readonly AssistantPart[], context: ReplyContext): string {
  return content
    .map((part) => {
      if (part.type === 'text' || part.type === 'refusal') return part.text
      noteLost(part.type, context)
      return ''
    })
    .join('')
}

function noteLost(type: string, { drop }: ReplyContext): void {
  drop(`choices.${type}`, 'the Completions API has text alone')
}

/** Clients require the three counts: `undefined` where one is unknown. */
function writeUsage({ inputTokens, outputTokens }: GenerateUsage): JsonObject | undefined {
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
}

/** Writes the events of one stream as chunks for a client. */
export class CompletionEncoder implements EventEncoder {
  readonly contentType = 'text/event-stream; charset=utf-8'
  readonly id: string
  readonly items: readonly string[] = []
  readonly #context: ReplyContext
  readonly #sink: FrameSink
  readonly #wantsUsage: boolean
  /** The choices of the open parts whose text is shown. */
  readonly #choices = new Map<number, number>()

  constructor(context: ReplyContext, sink: FrameSink) {
    this.#context = context
    this.#sink = sink
    this.id = context.newId(prefix)
    const options = Object(context.rawRequest.body.stream_options) as { include_usage?: unknown }
    this.#wantsUsage = options.include_usage === true
  }

  encode(event: Exclude<GenerateEvent, ErrorEvent>): void {
    switch (event.type) {
      case 'part':
        if (shown.has(event.part.type)) this.#choices.set(event.index, event.choice)
        else noteLost(event.part.type, this.#context)
        return
      case 'delta': {
        const choice = this.#choices.get(event.index)
        if (choice !== undefined) this.#write([choiceOf(event.text, choice, null)])
        return
      }
      case 'end':
        this.#choices.delete(event.index)
        return
      case 'stop':
        return this.#write([choiceOf('', event.choice, finishReasons[event.stop.reason])])
      case 'finish':
        this.#finish(writeUsage(event.usage))
    }
  }

  fail(error: GatewayError): 'end' {
    this.#sink.write(formatFrame(undefined, errorEnvelope(error, this.#context).body))
    return 'end'
  }

  keepAlive(): string {
    return ': keep-alive\n\n'
  }

  #finish(usage: JsonObject | undefined): void {
    if (this.#wantsUsage && usage) this.#write([], { usage })
    this.#sink.write('data: [DONE]\n\n')
  }

  #write(choices: readonly JsonObject[], further: JsonObject = {}): void {
    const chunk = { ...headingOf(this.id, this.#context), choices, ...further }
    this.#sink.write(formatFrame(undefined, chunk))
  }
}

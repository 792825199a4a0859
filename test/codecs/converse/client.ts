import { converseCodec } from '../../../plugins/dialects/converse/codec/index.ts'
import type {
  EventEncoder,
  FrameSink,
  GenerateCodec,
  RawRequest,
  ReplyContext,
} from '../../../src/contract/codec.ts'
import type { AssistantPart, ToolResult, UserPart } from '../../../src/generate/content.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import { Notes } from '../../../src/generate/notes.ts'
import type { GenerateRequest, Turn } from '../../../src/generate/request.ts'
import type { GenerateResult, GenerateUsage, Stop } from '../../../src/generate/result.ts'
import { readSignature, writeSignature } from '../../../src/generate/signatures.ts'
import { defined, type JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'

/**
 * The codec with the side of a client, which no client of the gateway has: it reads what an account gets, and writes
 * what an account sends, so that `codecContract` can have both come back.
 */
export const converseBothWays: GenerateCodec = {
  ...converseCodec,
  forgetsSignatures: true,
  decodeRequest,
  encodeResult: (result, context) => ({
    body: encodeResult(result),
    id: context.newId('r_'),
    items: [],
  }),
  encodeEvents: (context, sink) => new EventWriter(context, sink),
}

type Json = Record<string, never>
const at = (json: unknown, ...path: string[]): Json =>
  path.reduce((inner, name) => objectAt(inner, name) ?? {}, json as object) as Json

function decodeRequest({ body, stream }: RawRequest): GenerateRequest {
  const notes = new Notes()
  const inference = at(body, 'inferenceConfig')
  const own = at(body, 'additionalModelRequestFields')
  const { serviceTier, requestMetadata, system } = body
  const { maxTokens, temperature, topP, stopSequences } = inference
  const schema = at(body, 'outputConfig', 'textFormat', 'structure', 'jsonSchema')['schema']
  const budget = at(own, 'thinking')['budget_tokens']
  const tier = stringAt(serviceTier, 'type')
  if (schema) notes.uses('json_schema', 'schema')
  if (budget) notes.uses('reasoning_budget', 'budget')
  if (stopSequences) notes.uses('stop', 'stop')
  if (own['top_k']) notes.uses('top_k', 'top_k')
  if (tier) notes.uses('service_tier', 'tier')
  if (requestMetadata) notes.uses('metadata', 'metadata')
  const texts = objectsIn(system).map(({ text }) => ({
    type: 'text' as const,
    text: text as string,
  }))
  const turns = objectsIn(body.messages).flatMap((message) => turnsOf(message, notes))
  if (turns.at(-1)?.role === 'assistant') notes.uses('assistant_prefill', 'messages')
  return defined({
    stream,
    turns: texts.length > 0 ? [{ role: 'system', content: texts }, ...turns] : turns,
    ...toolsOf(at(body, 'toolConfig'), notes),
    sampling: defined({ temperature, topP, topK: own['top_k'] }),
    maxOutputTokens: maxTokens,
    stop: stopSequences,
    reasoning: budget && { budget },
    output: schema && { kind: 'schema', schema: JSON.parse(schema) as object },
    serviceTier: tier,
    metadata: requestMetadata,
    fields: notes.fields,
    extras: [],
  }) as unknown as GenerateRequest
}

function toolsOf({ tools, toolChoice }: JsonObject, notes: Notes) {
  const specs = objectsIn(tools).map(({ toolSpec }) => toolSpec as JsonObject)
  if (specs.some(({ strict }) => strict)) notes.uses('strict_tools', 'tools')
  const only = stringAt(at(toolChoice, 'tool'), 'name')
  return {
    tools: specs.map(({ inputSchema, ...spec }) => {
      return { kind: 'function', ...spec, parameters: at(inputSchema, 'json') }
    }),
    ...(toolChoice ? { toolChoice: { mode: 'required', ...(only && { only: [only] }) } } : {}),
  }
}

function turnsOf({ role, content }: JsonObject, notes: Notes): Turn[] {
  const blocks = objectsIn(content)
  if (role === 'assistant') return [{ role, content: blocks.flatMap(answerPart) }]
  const results = blocks.flatMap(({ toolResult }) => {
    return toolResult ? [resultOf(toolResult as JsonObject, notes)] : []
  })
  const parts = blocks.flatMap((block) => userPart(block, notes))
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
    ...(parts.length > 0 ? [{ role: 'user' as const, content: parts }] : []),
  ]
}

function answerPart({ text, toolUse, reasoningContent }: JsonObject): AssistantPart[] {
  if (typeof text === 'string') return [{ type: 'text', text }]
  if (toolUse) {
    const { toolUseId: id, name, input } = toolUse as Record<string, string>
    const call = { type: 'tool_call', kind: 'function', id: id!, name: name! } as const
    return [{ ...call, arguments: JSON.stringify(input) }]
  }
  const { text: thought, signature } = at(reasoningContent, 'reasoningText') as JsonObject
  const read = readSignature(String(signature), 'converse')
  const part = { type: 'reasoning', form: 'raw', text: String(thought) } as const
  return [{ ...part, ...(read && { signature: read }) }]
}

function resultOf({ toolUseId, content, status }: JsonObject, notes: Notes): ToolResult {
  const parts = objectsIn(content).flatMap((block) => userPart(block, notes))
  if (status === 'error') notes.uses('tool_result_failed', 'status')
  if (parts.some(({ type }) => type !== 'text')) notes.uses('tool_result_media', 'content')
  return {
    callId: String(toolUseId),
    content: parts as ToolResult['content'],
    ...(status === 'error' && { failed: true }),
  }
}

function userPart({ text, ...media }: JsonObject, notes: Notes): UserPart[] {
  if (typeof text === 'string') return [{ type: 'text', text }]
  const [[kind, medium] = []] = Object.entries(media)
  const base64 = at(medium, 'source')['bytes'] as string | undefined
  if (base64 === undefined) return []
  const source = { kind: 'data', base64 } as const
  const format = stringAt(medium, 'format')
  switch (kind) {
    case 'image':
      notes.uses('image_input', 'image')
      return [{ type: 'image', mediaType: `image/${format}`, source }]
    case 'audio':
      notes.uses('audio_input', 'audio')
      return [{ type: 'audio', mediaType: `audio/${format}`, source }]
    default:
      notes.uses('file_input', 'document')
      return [{ type: 'file', mediaType: `application/${format}`, source }]
  }
}

const stopReasons: Readonly<Record<Stop['reason'], string>> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  context: 'model_context_window_exceeded',
  filtered: 'content_filtered',
  refused: 'content_filtered',
  paused: 'end_turn',
}

function encodeResult({ choices, usage }: GenerateResult): JsonObject {
  const [choice] = choices
  return {
    output: { message: { role: 'assistant', content: choice?.content.flatMap(blockOf) } },
    stopReason: stopReasons[choice!.stop.reason],
    usage: usageOf(usage),
    metrics: { latencyMs: 1 },
  }
}

function blockOf(part: AssistantPart): JsonObject[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return [{ text: part.text }]
    case 'tool_call': {
      const { id: toolUseId, name } = part
      return [{ toolUse: { toolUseId, name, input: JSON.parse(part.arguments) as object } }]
    }
    case 'reasoning': {
      const { text, signature } = part
      const written = signature && writeSignature(signature, 'converse')
      return [{ reasoningContent: { reasoningText: defined({ text, signature: written }) } }]
    }
    default:
      return []
  }
}

function usageOf(usage: GenerateUsage): JsonObject {
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens } = usage
  return defined({
    inputTokens: inputTokens && inputTokens - (cachedTokens ?? 0) - (cacheWriteTokens ?? 0),
    outputTokens,
    cacheReadInputTokens: cachedTokens,
    cacheWriteInputTokens: cacheWriteTokens,
  })
}

/** Only a tool use has an event for its start. */
class EventWriter implements EventEncoder {
  readonly id = 'r_1'
  readonly items = []
  readonly #sink: FrameSink
  readonly #encoder
  #kind = ''

  constructor({ framing }: ReplyContext, sink: FrameSink) {
    this.#sink = sink
    this.#encoder = framing.encode()
  }

  encode(event: Exclude<GenerateEvent, { type: 'error' }>): void {
    switch (event.type) {
      case 'start':
        return this.#write('messageStart', { role: 'assistant' })
      case 'part': {
        const { index: contentBlockIndex, part } = event
        this.#kind = part.type
        if (part.type !== 'tool_call') return
        const toolUse = { toolUseId: part.id, name: part.name }
        return this.#write('contentBlockStart', { contentBlockIndex, start: { toolUse } })
      }
      case 'delta':
        return this.#delta(event.index, this.#deltaOf(event.text))
      case 'signature': {
        const signature = writeSignature(event.signature, 'converse')
        return this.#delta(event.index, { reasoningContent: { signature } })
      }
      case 'end':
        return this.#write('contentBlockStop', { contentBlockIndex: event.index })
      case 'stop':
        return this.#write('messageStop', { stopReason: stopReasons[event.stop.reason] })
      case 'finish':
        return this.#write('metadata', { usage: usageOf(event.usage), metrics: { latencyMs: 1 } })
      default:
    }
  }

  fail({ message }: Error): 'end' {
    const data = JSON.stringify({ message })
    this.#sink.write(this.#encoder.frame({ name: 'internalServerException', data, isError: true }))
    return 'end'
  }

  #deltaOf(text: string): JsonObject {
    if (this.#kind === 'tool_call') return { toolUse: { input: text } }
    return this.#kind === 'reasoning' ? { reasoningContent: { text } } : { text }
  }

  #delta(contentBlockIndex: number, delta: JsonObject): void {
    this.#write('contentBlockDelta', { contentBlockIndex, delta })
  }

  #write(name: string, data: JsonObject): void {
    this.#sink.write(this.#encoder.frame({ name, data: JSON.stringify({ ...data, p: 'abc' }) }))
  }
}

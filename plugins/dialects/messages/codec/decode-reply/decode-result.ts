import { checkArguments } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { GatewayError } from '../../../../../src/contract/errors.ts'
import type { AssistantPart } from '../../../../../src/generate/content.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { GenerateResult } from '../../../../../src/generate/result.ts'
import { objectsIn, objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { readCitations } from '../citations.ts'
import { readFailure } from './failure.ts'
import { CallIds } from './call-ids.ts'
import { isCall } from '../../../../../src/generate/match-results.ts'
import { readOwn } from '../signatures.ts'
import { readRefusal, readStop } from '../stop.ts'
import { argumentsOf } from '../tool-input.ts'
import { ToolNames } from '../../../../../src/generate/names.ts'
import { UsageCount, readServedTier } from '../usage.ts'

/** A whole message. What an account's own tools did on the way is left out. */
export function decodeResult(
  reply: JsonObject,
  request: GenerateRequest,
): GenerateResult | ErrorEvent {
  const blocks = blocksOf(reply)
  if (!blocks) return readFailure(reply) ?? refuse()
  const id = stringAt(reply, 'id')
  const model = stringAt(reply, 'model')
  const calls = new CallIds(request)
  const tools = new ToolNames(request.tools)
  const names: CallNames = {
    nameOf: (name) => tools.original(name),
    idOf: (block) => calls.next(block, id),
  }
  const content = blocks.flatMap((block) => readBlock(block, names))
  const refusal = readRefusal(reply)
  if (refusal) content.push({ type: 'refusal', text: refusal })
  const usage = new UsageCount()
  usage.noteAll(objectAt(reply, 'usage'))
  const serviceTier = readServedTier(reply.usage)
  const stop = readStop(reply.stop_reason, reply.stop_sequence, content.some(isCall))
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    choices: [{ content, stop }],
    usage: usage.total,
    ...(serviceTier !== undefined && { serviceTier }),
  }
}

/** Some upstreams answer with plain text, or with nothing at all. */
function blocksOf({ content, type }: JsonObject): Record<string, unknown>[] | undefined {
  if (Array.isArray(content)) return objectsIn(content)
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return type === 'message' ? [] : undefined
}

function refuse(): never {
  throw new GatewayError('upstream_invalid_reply', "The upstream's reply has no content.")
}

/** What calls are called by those who read them. */
interface CallNames {
  nameOf(name: string): string
  idOf(block: unknown): string
}

function readBlock(block: Record<string, unknown>, names: CallNames): AssistantPart[] {
  switch (block.type) {
    case 'text':
      return readText(block)
    case 'thinking':
      return readThinking(block)
    case 'redacted_thinking': {
      const signature = readOwn(stringAt(block, 'data') ?? '')
      return signature ? [{ type: 'reasoning', text: '', form: 'redacted', signature }] : []
    }
    case 'tool_use':
      checkArguments(block.input)
      return [
        {
          type: 'tool_call',
          id: names.idOf(block),
          name: names.nameOf(calledName(block)),
          kind: 'function',
          arguments: argumentsOf(block.input),
        },
      ]
    default:
      return []
  }
}

/** Without it, nobody is called. */
export function calledName(block: unknown): string {
  const name = stringAt(block, 'name')
  if (!name) throw new GatewayError('upstream_invalid_reply', 'The upstream calls a nameless tool.')
  return name
}

function readText(block: Record<string, unknown>): AssistantPart[] {
  const said = stringAt(block, 'text') ?? ''
  if (said === '') return []
  const citations = readCitations(block.citations)
  return [{ type: 'text', text: said, ...(citations.length > 0 && { citations }) }]
}

function readThinking(block: Record<string, unknown>): AssistantPart[] {
  const thought = stringAt(block, 'thinking') ?? ''
  const signature = readOwn(stringAt(block, 'signature') ?? '')
  if (thought === '' && !signature) return []
  return [{ type: 'reasoning', text: thought, form: 'summary', ...(signature && { signature }) }]
}

import { parseWithin } from '../lib/json/object.ts'
import { hash } from 'node:crypto'

import type { CallIdentity, SignatureStore, SignedParts } from '../contract/services.ts'
import { safeToolId } from '../generate/call-ids.ts'
import type { AssistantPart, ReasoningPart, ToolCallPart } from '../generate/content.ts'
import type { Turn } from '../generate/request.ts'
import { isObject } from '../lib/json/object.ts'
import type { Log } from '../lib/log.ts'
import { recordIdOf } from '../stores/record-id.ts'
import type { Records } from '../stores/store.ts'

/**
 * The name of a tool call, the same in the reply and when the client sends the call back. The id alone
 * is not enough, because some accounts reuse ids.
 */
export function nameOfCall({ id, name, arguments: input }: CallIdentity): string {
  const digest = hash('sha256', JSON.stringify([name, normalize(input)]), 'base64url')
  return `${safeToolId(id)} ${digest.slice(0, 22)}`
}

/** Arguments with sorted members and without spaces, because clients serialize them again. */
function normalize(input: string): string {
  if (input.trim() === '') return '{}'
  try {
    return JSON.stringify(parseWithin(input), sortMembers)
  } catch {
    // Not JSON, or nested too deep for the parser.
    return input
  }
}

function sortMembers(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value)
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** In milliseconds: the same as for affinities of reasoning (docs/wire/anthropic.md 2.2). */
const lifeMs = 7 * 24 * 60 * 60_000

/** Stores signatures as records. A store that fails is logged, and the call goes on without them. */
export function createSignatureMemory(
  records: Pick<Records<SignedParts>, 'getMany' | 'setMany'>,
  log: Pick<Log, 'warn'>,
): SignatureStore {
  return {
    async recall(keyId, request) {
      const names = namesOf(keyId, request.turns)
      if (names.size === 0) return request
      try {
        const known = await findAll(records, names)
        return { ...request, turns: request.turns.map((turn) => signTurn(turn, known)) }
      } catch (error) {
        log.warn('reading signatures failed; reasoning is not continued', { error: String(error) })
        return request
      }
    },
    async keep(keyId, calls) {
      const entries = calls.map(({ call, ...value }) => ({
        id: recordOf(keyId, call),
        value,
        ttlMs: lifeMs,
      }))
      try {
        await records.setMany(entries)
      } catch (error) {
        log.warn('writing signatures failed; reasoning is not continued', { error: String(error) })
      }
    },
  }
}

type KnownParts = ReadonlyMap<AssistantPart, SignedParts | undefined>

/** The ids of the records for the tool calls without a signature. */
function namesOf(keyId: string, turns: readonly Turn[]): Map<ToolCallPart, string> {
  const parts = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.content : []))
  return new Map(parts.filter(isUnsigned).map((call) => [call, recordOf(keyId, call)]))
}

async function findAll(
  records: Pick<Records<SignedParts>, 'getMany'>,
  names: ReadonlyMap<ToolCallPart, string>,
): Promise<KnownParts> {
  const ids = [...new Set(names.values())]
  const found = await records.getMany(ids)
  const byName = new Map(ids.map((name, index) => [name, readParts(found[index])]))
  return new Map([...names].map(([call, name]) => [call, byName.get(name)]))
}

/** The parts of a record; `undefined` for a damaged one. */
function readParts(value: SignedParts | undefined): SignedParts | undefined {
  const { reasoning, signature } = Object(value) as Partial<Record<keyof SignedParts, unknown>>
  const isReasoning = (part: unknown) => isObject(part) && typeof part.text === 'string'
  const isSigned = signature === undefined || (isObject(signature) && isText(signature.value))
  return Array.isArray(reasoning) && reasoning.every(isReasoning) && isSigned ? value : undefined
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isUnsigned(part: AssistantPart): part is ToolCallPart {
  return part.type === 'tool_call' && !part.signature
}

/** Signed reasoning in the client's request takes precedence over stored reasoning. */
function signTurn(turn: Turn, known: KnownParts): Turn {
  if (turn.role !== 'assistant') return turn
  const hasSigned = turn.content.some((part) => part.type === 'reasoning' && part.signature)
  const content = hasSigned ? turn.content : withReasoning(turn.content, known)
  return { ...turn, content: content.map((part) => signPart(part, known)) }
}

function signPart(part: AssistantPart, known: KnownParts): AssistantPart {
  const signature = isUnsigned(part) && known.get(part)?.signature
  return signature ? { ...part, signature } : part
}

/**
 * The turn with the stored reasoning in place of the client's, which has no signatures. The reasoning of
 * the first call begins the turn, before any text; the reasoning of a later call precedes the call.
 */
function withReasoning(
  content: readonly AssistantPart[],
  known: KnownParts,
): readonly AssistantPart[] {
  const reasoningOf = (part: AssistantPart | undefined): readonly ReasoningPart[] =>
    (part && known.get(part)?.reasoning) ?? []
  if (!content.some((part) => reasoningOf(part).length > 0)) return content
  const first = content.find(({ type }) => type === 'tool_call')
  const rest = content.filter(({ type }) => type !== 'reasoning')
  return [
    ...reasoningOf(first),
    ...rest.flatMap((part) => (part === first ? [part] : [...reasoningOf(part), part])),
  ]
}

function recordOf(keyId: string, call: CallIdentity): string {
  return recordIdOf([keyId], nameOfCall(call))
}

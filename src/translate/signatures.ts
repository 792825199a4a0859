import { hash } from 'node:crypto'

import type { CallIdentity, SignatureStore, SignedParts } from '../contract/services.ts'
import { safeToolId } from '../generate/call-ids.ts'
import type { AssistantPart, ReasoningPart, ToolCallPart } from '../generate/content.ts'
import type { Turn } from '../generate/request.ts'
import type { Log } from '../lib/log.ts'
import type { Records } from '../stores/store.ts'

/**
 * A name for a call that the client who was told it gives it as well. Its id is not enough, for some
 * accounts give all of their calls the same ones.
 */
export function nameOfCall({ id, name, arguments: input }: CallIdentity): string {
  const said = hash('sha256', JSON.stringify([name, plain(input)]), 'base64url')
  return `${safeToolId(id)} ${said.slice(0, 22)}`
}

/** Clients write arguments anew, each in its own way. */
function plain(input: string): string {
  if (input.trim() === '') return '{}'
  try {
    return JSON.stringify(JSON.parse(input), inOrder)
  } catch {
    // No JSON, or nested too deep to be read.
    return input
  }
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value)
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** As long as the affinities of reasoning (docs/wire/anthropic.md 2.2). Milliseconds. */
const lifeMs = 7 * 24 * 60 * 60_000

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
        log.warn('signatures cannot be read: reasoning is not continued', { error: String(error) })
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
        log.warn('signatures cannot be kept: reasoning is not continued', { error: String(error) })
      }
    },
  }
}

type Known = ReadonlyMap<AssistantPart, SignedParts | undefined>

/** Under which names there may be something of the calls that came without a signature. */
function namesOf(keyId: string, turns: readonly Turn[]): Map<ToolCallPart, string> {
  const said = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.content : []))
  return new Map(said.filter(isUnsigned).map((call) => [call, recordOf(keyId, call)]))
}

async function findAll(
  records: Pick<Records<SignedParts>, 'getMany'>,
  names: ReadonlyMap<ToolCallPart, string>,
): Promise<Known> {
  const asked = [...new Set(names.values())]
  const found = await records.getMany(asked)
  const byName = new Map(asked.map((name, index) => [name, found[index]]))
  return new Map([...names].map(([call, name]) => [call, byName.get(name)]))
}

function isUnsigned(part: AssistantPart): part is ToolCallPart {
  return part.type === 'tool_call' && !part.signature
}

/** Thoughts that the client itself brought back signed are the better ones. */
function signTurn(turn: Turn, known: Known): Turn {
  if (turn.role !== 'assistant') return turn
  const hasThoughts = turn.content.some((part) => part.type === 'reasoning' && part.signature)
  const content = hasThoughts ? turn.content : withThoughts(turn.content, known)
  return { ...turn, content: content.map((part) => signPart(part, known)) }
}

function signPart(part: AssistantPart, known: Known): AssistantPart {
  const signature = isUnsigned(part) && known.get(part)?.signature
  return signature ? { ...part, signature } : part
}

/**
 * An answer begins with its thoughts, whatever it says before its first call; later ones stand
 * before the call that they led to. What the client kept of them is the same without signatures.
 */
function withThoughts(content: readonly AssistantPart[], known: Known): readonly AssistantPart[] {
  const thoughtsOf = (part: AssistantPart | undefined): readonly ReasoningPart[] =>
    (part && known.get(part)?.reasoning) ?? []
  if (!content.some((part) => thoughtsOf(part).length > 0)) return content
  const first = content.find(({ type }) => type === 'tool_call')
  const rest = content.filter(({ type }) => type !== 'reasoning')
  return [
    ...thoughtsOf(first),
    ...rest.flatMap((part) => (part === first ? [part] : [...thoughtsOf(part), part])),
  ]
}

function recordOf(keyId: string, call: CallIdentity): string {
  return `${keyId} ${nameOfCall(call)}`
}

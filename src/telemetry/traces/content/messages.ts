import type { AssistantPart, ToolResult, UserPart } from '../../../generate/content.ts'
import type { Turn } from '../../../generate/request.ts'
import type { Tool } from '../../../generate/tools.ts'

/** A part of a message, as the conventions write it. */
type Part = Readonly<Record<string, unknown>>

/** A message, as the conventions write it. */
interface Message {
  readonly role: string
  readonly parts: readonly Part[]
}

/** Cuts and cleans texts, until no room is left. */
export interface Room {
  /** Whether another part may follow. */
  readonly hasAny: boolean
  /** As much of a text as there is room for, without secrets. */
  take(text: string): string
}

/** Creates room for a number of bytes. `clean` hides secrets, before a text is cut. */
export function createRoom(bytes: number, clean: (text: string) => string): Room {
  let left = bytes
  return {
    get hasAny() {
      return left > 0
    },
    take(text) {
      // A text far beyond the room is not searched in full. The cut may go through a secret.
      const long = text.length > 4 * bytes
      const whole = clean(long ? text.slice(0, 4 * bytes) : text)
      const size = Buffer.byteLength(whole)
      // Each part takes some bytes of its own.
      const piece = size > left ? `${Buffer.from(whole).subarray(0, left).toString()}...` : whole
      left -= Math.min(size, left) + partBytes
      return piece
    },
  }
}

/** In bytes. */
const partBytes = 48

/** The messages of a request without its system messages. */
export function messagesOf(turns: readonly Turn[], room: Room): readonly Message[] {
  const messages: Message[] = []
  for (const turn of turns) {
    if (!room.hasAny) break
    if (turn.role === 'system') continue
    const parts =
      turn.role === 'tool'
        ? partsIn(turn.results, (result) => toolResult(result, room), room)
        : partsIn<UserPart | AssistantPart>(turn.content, (part) => partOf(part, room), room)
    messages.push({ role: turn.role, parts })
  }
  return messages
}

/** The instructions of a request. */
export function instructionsOf(turns: readonly Turn[], room: Room): readonly Part[] {
  return turns
    .filter((turn) => turn.role === 'system')
    .flatMap(({ content }) => partsIn(content, (part) => partOf(part, room), room))
}

/** The tools of a request, without the schemas of their parameters. */
export function toolsOf(tools: readonly Tool[], room: Room): readonly Part[] {
  return partsIn(
    tools,
    ({ kind, name, description }) => ({
      type: kind,
      name: room.take(name),
      ...(description !== undefined && { description: room.take(description) }),
    }),
    room,
  )
}

/** The message of a reply. */
export function replyOf(content: readonly AssistantPart[], room: Room): Message {
  return { role: 'assistant', parts: partsIn(content, (part) => partOf(part, room), room) }
}

function partsIn<T>(list: readonly T[], convert: (one: T) => Part, room: Room): Part[] {
  const parts: Part[] = []
  for (const one of list) {
    if (!room.hasAny) break
    parts.push(convert(one))
  }
  return parts
}

function partOf(part: UserPart | AssistantPart, room: Room): Part {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', content: room.take(part.text) }
    case 'reasoning':
      return { type: 'reasoning', content: room.take(part.text) }
    case 'tool_call':
      return {
        type: 'tool_call',
        id: room.take(part.id),
        name: room.take(part.name),
        arguments: room.take(part.arguments),
      }
    default:
      // The bytes of media and the addresses of files stay out.
      return { type: part.type }
  }
}

function toolResult({ callId, content }: ToolResult, room: Room): Part {
  const texts = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
  return {
    type: 'tool_call_response',
    id: room.take(callId),
    response: room.take(texts.join('\n')),
  }
}

import type { GenerateRequest, Turn } from '../../src/generate/request.ts'
import type { AssistantPart, ToolResult, UserPart } from '../../src/generate/content.ts'
import type { Rules } from './rules.ts'

/** A part of a turn, or of a tool's result. */
type Part = AssistantPart | UserPart | ToolResult['content'][number]

/** The request without what rules mask. Throws `GatewayError` if one refuses a text of it. */
export function guardRequest(request: GenerateRequest, rules: Rules): GenerateRequest {
  const turns = mapChanged(request.turns, (turn) => guardTurn(turn, rules))
  return turns === request.turns ? request : { ...request, turns }
}

function guardTurn(turn: Turn, rules: Rules): Turn {
  if (turn.role === 'tool') {
    const results = mapChanged(turn.results, (result) => {
      const content = mapChanged(result.content, (part) => guardPart(part, rules))
      return content === result.content ? result : { ...result, content }
    })
    return results === turn.results ? turn : { ...turn, results }
  }
  const content = mapChanged<Part>(turn.content, (part) => guardPart(part, rules))
  return content === turn.content ? turn : ({ ...turn, content } as Turn)
}

/** Reasoning stays: its signature is of its text, and it has been guarded as a reply. */
function guardPart<P extends Part>(part: P, rules: Rules): P
function guardPart(part: Part, rules: Rules): Part {
  switch (part.type) {
    case 'text':
    case 'refusal': {
      const text = rules.apply(part.text)
      return text === part.text ? part : { ...part, text }
    }
    case 'tool_call': {
      const json = rules.applyToJson(part.arguments)
      return json === part.arguments ? part : { ...part, arguments: json }
    }
    case 'file': {
      if (part.source.kind !== 'text') return part
      const text = rules.apply(part.source.text)
      return text === part.source.text ? part : { ...part, source: { kind: 'text', text } }
    }
    default:
      return part
  }
}

/** Returns the same list if `change` returns each item as it is. */
function mapChanged<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change)
  return changed.some((item, index) => item !== items[index]) ? changed : items
}

/** The texts that are new in a request: those behind the last turn of the model. */
export function newTexts({ turns }: GenerateRequest): string {
  const from = turns.findLastIndex(({ role }) => role === 'assistant') + 1
  return turns.slice(from).flatMap(textsOf).join('\n')
}

function textsOf(turn: Turn): string[] {
  const parts: readonly Part[] =
    turn.role === 'tool' ? turn.results.flatMap(({ content }) => content) : turn.content
  return parts.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    return part.type === 'file' && part.source.kind === 'text' ? [part.source.text] : []
  })
}

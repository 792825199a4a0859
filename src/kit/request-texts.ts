import type {
  AssistantPart,
  FilePart,
  TextPart,
  ToolResult,
  UserPart,
} from '../generate/content.ts'
import { mapJsonTexts } from '../generate/json-texts.ts'
import type { GenerateRequest, Turn } from '../generate/request.ts'
import { type Change, type ChangeParts, textsOfRuns } from '../generate/text-runs.ts'
import { essenceOf } from '../lib/media-type.ts'
import { textsOfFile } from './codec/file-readings.ts'
import { assertReadable } from './codec/file-text.ts'
import { refused } from './codec/read.ts'

/** A part of a turn, or of a tool's result. */
type Part = AssistantPart | UserPart | ToolResult['content'][number]

/**
 * Changes the texts of a request's content: turns with the results and arguments of tools (JSON stays JSON),
 * files of text (in base64 too), their titles and contexts, and the values of `metadata` and `endUser`. Signed
 * reasoning stays, because its signature is of its text; so do names of files, `tools`, `output`, `stop` and
 * `extras`. Returns the same request if `change` returns each text as it is. Throws `GatewayError` 413 for more than
 * 8 MiB of text in base64. `changeParts` changes the texts of parts beside each other, of one turn or result: models
 * read these as one text. Absent: each is changed alone.
 */
export function mapTexts(
  request: GenerateRequest,
  change: Change,
  changeParts: ChangeParts = (texts) => texts.map(change),
): GenerateRequest {
  assertReadable(request)
  const turns = mapChanged(request.turns, (turn) => mapTurn(turn, change, changeParts))
  const endUser = mapOptional(request.endUser, change)
  const metadata = mapMetadata(request.metadata, change)
  const isSame =
    turns === request.turns && endUser === request.endUser && metadata === request.metadata
  if (isSame) return request
  return {
    ...request,
    turns,
    ...(endUser !== undefined && { endUser }),
    ...(metadata && { metadata }),
  }
}

function mapOptional(text: string | undefined, change: Change): string | undefined {
  return text === undefined ? undefined : change(text)
}

function mapMetadata(
  metadata: GenerateRequest['metadata'],
  change: Change,
): GenerateRequest['metadata'] {
  const entries = Object.entries(metadata ?? {})
  const mapped = mapChanged(entries, function (entry) {
    const [name, text] = entry
    const changed = change(text)
    return changed === text ? entry : ([name, changed] as [string, string])
  })
  return mapped === entries ? metadata : Object.fromEntries(mapped)
}

function mapTurn(turn: Turn, change: Change, changeParts: ChangeParts): Turn {
  if (turn.role === 'tool') {
    const results = mapChanged(turn.results, function (result) {
      const content = mapParts(result.content, change, changeParts)
      return content === result.content ? result : { ...result, content }
    })
    return results === turn.results ? turn : { ...turn, results }
  }
  const content = mapParts<Part>(turn.content, change, changeParts)
  return content === turn.content ? turn : ({ ...turn, content } as Turn)
}

function mapParts<P extends Part>(
  parts: readonly P[],
  change: Change,
  changeParts: ChangeParts,
): readonly P[] {
  const texts = textsOfRuns(parts, ({ type }) => (type === 'text' ? type : undefined), changeParts)
  return mapChanged(parts, (part, index) => {
    const text = texts.get(index)
    if (text === undefined) return mapPart(part, change)
    return (part as TextPart).text === text ? part : { ...part, text }
  })
}

function mapPart<P extends Part>(part: P, change: Change): P
function mapPart(part: Part, change: Change): Part {
  switch (part.type) {
    case 'text':
    case 'refusal': {
      const text = change(part.text)
      return text === part.text ? part : { ...part, text }
    }
    case 'tool_call': {
      const changed = mapJsonTexts(part.arguments, change)
      return changed === part.arguments ? part : { ...part, arguments: changed }
    }
    case 'reasoning': {
      const text = part.signature ? part.text : change(part.text)
      return text === part.text ? part : { ...part, text }
    }
    case 'file':
      return mapFile(part, change)
    default:
      return part
  }
}

function mapFile(part: FilePart, change: Change): FilePart {
  const { source, mediaType } = mapDocument(part, change)
  const title = mapOptional(part.title, change)
  const context = mapOptional(part.context, change)
  if (source === part.source && title === part.title && context === part.context) return part
  return {
    ...part,
    source,
    ...(mediaType !== undefined && { mediaType }),
    ...(title !== undefined && { title }),
    ...(context !== undefined && { context }),
  }
}

type Document = Pick<FilePart, 'source' | 'mediaType'>

/** A changed text is UTF-8, whichever charset its type named. */
function mapDocument(part: FilePart, change: Change): Document {
  const [text, ...others] = textsOfFile(part)
  const changed = mapOptional(text, change)
  if (changed === undefined || changed === text) return unlessHidden(part, others, change)
  if (part.source.kind === 'text') return { source: { kind: 'text', text: changed } }
  const base64 = Buffer.from(changed).toString('base64')
  return { source: { kind: 'data', base64 }, mediaType: essenceOf(part.mediaType ?? '') }
}

/** Returns the document. Throws where `change` has something to change that only some readers find in it. */
function unlessHidden(part: FilePart, texts: readonly string[], change: Change): Document {
  for (const text of texts) {
    if (change(text) === text) continue
    const message =
      'The text of the file depends on its reader: its bytes hide words from its charset.'
    throw refused(message, part.field)
  }
  return part
}

/** Returns the same list if `change` returns each item as it is. */
function mapChanged<Item>(
  items: readonly Item[],
  change: (item: Item, index: number) => Item,
): readonly Item[] {
  const changed: Item[] = []
  for (const [index, item] of items.entries()) {
    changed.push(change(item, index))
  }
  return changed.some((item, index) => item !== items[index]) ? changed : items
}

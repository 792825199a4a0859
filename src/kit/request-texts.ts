import type { AssistantPart, FilePart, ToolResult, UserPart } from '../generate/content.ts'
import { mapJsonTextsInSteps } from '../generate/json-texts.ts'
import type { GenerateRequest, Turn } from '../generate/request.ts'
import { essenceOf } from '../lib/media-type.ts'
import { type MaybeWork, type Work, run, resultOf } from '../lib/turns.ts'
import { textsOfFile } from './codec/file-readings.ts'
import { refused } from './codec/read.ts'

/** A part of a turn, or of a tool's result. */
type Part = AssistantPart | UserPart | ToolResult['content'][number]

type Change = (text: string) => MaybeWork<string>

/**
 * Changes the texts of a request's content: those of turns, with results and arguments of tools (JSON stays JSON),
 * files of text (in base64 too), their titles and contexts, and the values of `metadata` and `endUser`. Signed
 * reasoning stays, because its signature is of its text; so do names of files, `tools`, `output`, `stop` and
 * `extras`. Returns the same request if `change` returns each text as it is.
 */
export function mapTexts(
  request: GenerateRequest,
  change: (text: string) => string,
): GenerateRequest {
  return run(mapTextsInSteps(request, change))
}

/** The same in steps, of which some may be those of a change. */
export function* mapTextsInSteps(request: GenerateRequest, change: Change): Work<GenerateRequest> {
  const turns = yield* mapChanged(request.turns, (turn) => mapTurn(turn, change))
  const endUser = yield* mapOptional(request.endUser, change)
  const metadata = yield* mapMetadata(request.metadata, change)
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

function* mapOptional(text: string | undefined, change: Change): Work<string | undefined> {
  return text === undefined ? undefined : yield* resultOf(change(text))
}

function* mapMetadata(
  metadata: GenerateRequest['metadata'],
  change: Change,
): Work<GenerateRequest['metadata']> {
  const entries = Object.entries(metadata ?? {})
  const mapped = yield* mapChanged(entries, function* (entry) {
    const [name, text] = entry
    const changed = yield* resultOf(change(text))
    return changed === text ? entry : ([name, changed] as [string, string])
  })
  return mapped === entries ? metadata : Object.fromEntries(mapped)
}

function* mapTurn(turn: Turn, change: Change): Work<Turn> {
  if (turn.role === 'tool') {
    const results = yield* mapChanged(turn.results, function* (result) {
      const content = yield* mapChanged(result.content, (part) => mapPart(part, change))
      return content === result.content ? result : { ...result, content }
    })
    return results === turn.results ? turn : { ...turn, results }
  }
  const content = yield* mapChanged<Part>(turn.content, (part) => mapPart(part, change))
  return content === turn.content ? turn : ({ ...turn, content } as Turn)
}

function mapPart<P extends Part>(part: P, change: Change): Work<P>
function* mapPart(part: Part, change: Change): Work<Part> {
  switch (part.type) {
    case 'text':
    case 'refusal': {
      const text = yield* resultOf(change(part.text))
      return text === part.text ? part : { ...part, text }
    }
    case 'tool_call': {
      const changed = yield* mapJsonTextsInSteps(part.arguments, change)
      return changed === part.arguments ? part : { ...part, arguments: changed }
    }
    case 'reasoning': {
      const text = part.signature ? part.text : yield* resultOf(change(part.text))
      return text === part.text ? part : { ...part, text }
    }
    case 'file':
      return yield* mapFile(part, change)
    default:
      return part
  }
}

function* mapFile(part: FilePart, change: Change): Work<FilePart> {
  const { source, mediaType } = yield* mapDocument(part, change)
  const title = yield* mapOptional(part.title, change)
  const context = yield* mapOptional(part.context, change)
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
function* mapDocument(part: FilePart, change: Change): Work<Document> {
  const [text, ...others] = yield* textsOfFile(part)
  const changed = yield* mapOptional(text, change)
  if (changed === undefined || changed === text) return yield* unlessHidden(part, others, change)
  if (part.source.kind === 'text') return { source: { kind: 'text', text: changed } }
  const base64 = Buffer.from(changed).toString('base64')
  return { source: { kind: 'data', base64 }, mediaType: essenceOf(part.mediaType ?? '') }
}

/** Returns the document. Throws where `change` has something to change that only some readers find in it. */
function* unlessHidden(part: FilePart, texts: readonly string[], change: Change): Work<Document> {
  for (const text of texts) {
    if ((yield* resultOf(change(text))) === text) continue
    const message =
      'The text of the file depends on its reader: its bytes hide words from its charset.'
    throw refused(message, part.field)
  }
  return part
}

/** Returns the same list if `change` returns each item as it is. */
function* mapChanged<Item>(
  items: readonly Item[],
  change: (item: Item) => Work<Item>,
): Work<readonly Item[]> {
  const changed: Item[] = []
  for (const item of items) {
    changed.push(yield* change(item))
    yield
  }
  return changed.some((item, index) => item !== items[index]) ? changed : items
}

import type { Call } from '../../../src/contract/call.ts'
import type { NamedData, StoredData } from '../../../src/contract/stored-data.ts'
import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { OtherModels } from '../shared/other-models.ts'
import { TextSet } from '../../../src/lib/text-map.ts'

/**
 * Returns the stored data that a request for a response names in its input, its tools and its options
 * (docs/wire/contract.md 4.1), and the models beside `model`.
 */
export function namedDataOf(json: JsonObject): Pick<Call, Named> {
  const noted = namedIn(json.input, 'input')
  const { names, models } = noted
  models.noteStandIns(json)
  noteTools(json.tools, 'tools', noted)
  noteTools(objectAt(json, 'tool_choice')?.tools, 'tool_choice.tools', noted)
  const compared = stringAt(json.prompt_cache_options, 'comparison_response_id')
  if (compared !== undefined) {
    const field = 'prompt_cache_options.comparison_response_id'
    names.push({ kind: 'response', id: compared, field, isReference: false })
  }
  return calledBy(noted)
}

/** Returns the same of the items of a conversation. */
export function namedByItems(json: JsonObject): Pick<Call, Named> {
  return calledBy(namedIn(json.items, 'items'))
}

type Named = 'names' | 'otherModels'

/** The stored data and the models that a request names. */
interface Noted {
  readonly names: NamedData[]
  readonly models: OtherModels
}

function calledBy({ names, models }: Noted): Pick<Call, Named> {
  return names.length > 0 ? { names, ...models.ofCall } : models.ofCall
}

function namedIn(items: unknown, list: string): Noted {
  const noted: Noted = { names: [], models: new OtherModels() }
  if (!Array.isArray(items)) return noted
  const inline = new InlineApprovals(items)
  for (let index = 0; index < items.length; index++) {
    noteItem(items[index], () => `${list}[${index}]`, inline, noted)
  }
  return noted
}

/**
 * The ids of the requests for approval that a list contains in full, collected once and only if a request needs them.
 */
class InlineApprovals {
  readonly #items: readonly unknown[]
  #ids: ReadonlySet<string | undefined> | undefined

  constructor(items: readonly unknown[]) {
    this.#items = items
  }

  has(id: string): boolean {
    const ids = () => this.#items.filter(isApprovalRequest).map(idOf)
    this.#ids ??= new TextSet(ids())
    return this.#ids.has(id)
  }
}

/** Whether an item is an approval request with its call. For any other item the account looks the call up. */
function isApprovalRequest(item: unknown): boolean {
  return (
    stringAt(item, 'type') === 'mcp_approval_request' &&
    ['server_label', 'name', 'arguments'].every((name) => stringAt(item, name) !== undefined)
  )
}

function idOf(item: unknown): string | undefined {
  return stringAt(item, 'id')
}

function noteItem(
  item: unknown,
  pathOf: () => string,
  inline: InlineApprovals,
  noted: Noted,
): void {
  if (!isObject(item)) return
  const { names } = noted
  const id = stringAt(item, 'id')
  if (id !== undefined) {
    const isReference = isItemReference(item)
    if (isReference || lacksContent(item)) {
      names.push({ kind: 'item', id, field: pathOf(), isReference })
    }
  }
  const approved = stringAt(item, 'approval_request_id')
  if (item.type === 'mcp_approval_response' && approved !== undefined) {
    const field = `${pathOf()}.approval_request_id`
    if (!inline.has(approved)) names.push({ kind: 'item', id: approved, field, isReference: true })
  }
  noteContainers(item, pathOf, names, false)
  if (item.tools !== undefined) noteTools(item.tools, `${pathOf()}.tools`, noted)
}

/**
 * Whether an item is nothing but an id, so that the account has to look it up: an untyped item with an
 * id and no role is a reference, and so is one of any type without content.
 */
function isItemReference(item: unknown): boolean {
  if (!isObject(item)) return false
  const { type, role } = item
  if (type === 'item_reference' || (type ?? role) == null) return true
  if ((type ?? 'message') === 'message') return item.content == null
  if (type === 'image_generation_call') return !isText(item.result)
  for (const name in item) {
    if (!bareMembers.has(name) && item[name] !== null) return false
  }
  return true
}

/** Members that say nothing of an item's content. */
const bareMembers: ReadonlySet<string> = new Set(['id', 'type', 'status', 'role'])

/**
 * Whether the account has to look up a part of an item that requests never contain in full, or may take a
 * message that says nothing for its id.
 */
function lacksContent(item: JsonObject): boolean {
  switch (item.type ?? 'message') {
    case 'message':
      return item.content === '' || (Array.isArray(item.content) && item.content.length === 0)
    case 'reasoning':
    case 'compaction':
      return !isText(item.encrypted_content)
    case 'web_search_call':
    case 'file_search_call':
      return !Array.isArray(item.results)
    case 'code_interpreter_call':
      return !Array.isArray(item.outputs)
    default:
      return false
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function noteTools(tools: unknown, path: string, noted: Noted): void {
  if (!Array.isArray(tools)) return
  for (let index = 0; index < tools.length; index++) {
    const tool: unknown = tools[index]
    const pathOf = () => `${path}[${index}]`
    noteContainers(tool, pathOf, noted.names, true)
    noted.models.noteTool(tool, pathOf)
    // A namespace has tools of its own.
    if (isObject(tool) && tool.tools !== undefined) {
      noteTools(tool.tools, `${path}[${index}].tools`, noted)
    }
  }
}

/** Notes the containers that an item or a tool names: the data of the code that ran in them. */
function noteContainers(
  owner: unknown,
  pathOf: () => string,
  names: NamedData[],
  isReference: boolean,
): void {
  const named = [
    ['container', stringAt(owner, 'container')],
    ['container_id', stringAt(owner, 'container_id')],
    ['environment.container_id', stringAt(objectAt(owner, 'environment'), 'container_id')],
  ] as const
  for (const [member, id] of named) {
    if (id === undefined) continue
    names.push({ kind: 'container', id, field: `${pathOf()}.${member}`, isReference })
  }
}

/** Returns the data that the items of a reply disclose: the items and their containers. */
export function disclosedIn(items: unknown): readonly StoredData[] {
  if (!Array.isArray(items)) return none
  const data: StoredData[] = []
  for (const item of items) {
    const id = stringAt(item, 'id')
    if (id !== undefined) data.push({ kind: 'item', id })
    const container =
      stringAt(item, 'container_id') ?? stringAt(objectAt(item, 'environment'), 'container_id')
    if (container !== undefined) data.push({ kind: 'container', id: container })
  }
  return data
}

const none: readonly StoredData[] = []

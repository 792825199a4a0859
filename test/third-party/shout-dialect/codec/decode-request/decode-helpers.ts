import {
  checkDepth,
  defined,
  isGiven,
  type JsonObject,
  type Notes,
  readList,
  readName,
  readObject,
  stringAt,
  type Tool,
  type ToolChoice,
  wrong,
} from '../../../../../src/dialect-kit/index.ts'

const members = new Set(['name', 'about', 'takes'])

/** `helpers`: `{name, about, takes}`, where `takes` is a JSON Schema. */
export function decodeHelpers(helpers: unknown, notes: Notes): Tool[] {
  if (!isGiven(helpers)) return []
  return readList(helpers, 'helpers').map((item, index) => {
    const path = `helpers[${index}]`
    return decodeHelper(readObject(item, path), path, notes)
  })
}

function decodeHelper(helper: JsonObject, path: string, notes: Notes): Tool {
  notes.unread(helper, path, members, 'only the Shout API may know it')
  const { takes } = helper
  const parameters = isGiven(takes) ? readObject(takes, `${path}.takes`) : undefined
  checkDepth(parameters, `${path}.takes`)
  return {
    kind: 'function',
    name: readName(helper.name, `${path}.name`),
    ...defined({ description: stringAt(helper, 'about'), parameters }),
  }
}

const modes = new Map<unknown, ToolChoice['mode']>([
  ['may', 'auto'],
  ['must', 'required'],
  ['never', 'none'],
])

/** `call`: whether the voice may call a helper, must, or never does. */
export function decodeChoice(call: unknown, notes: Notes): ToolChoice | undefined {
  if (!isGiven(call)) return undefined
  const mode = modes.get(call)
  if (!mode) throw wrong('call', 'one of may, must, never')
  notes.sets('tool_choice', 'call')
  return { mode }
}

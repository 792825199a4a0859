import * as kit from 'dragoman/dialect'

import { readCalls } from './messages.ts'
import { readOptions } from './options.ts'

const members = new Set(['model', 'messages', 'stream', 'tools', 'format', 'options'])

export function decodeRequest({ body, stream }: kit.RawRequest): kit.GenerateRequest {
  const notes = new kit.Notes()
  for (const name of Object.keys(body)) {
    if (!members.has(name)) notes.unknown(members, name, name, 'only the Ollama API has it')
  }
  const turns = readTurns(kit.readList(body['messages'], 'messages'), notes)
  const tools = kit.objectsIn(body['tools']).map(readTool)
  const output = readFormat(body['format'], notes)
  const options = readOptions(kit.objectAt(body, 'options') ?? {}, notes)
  const { fields, settings, extras } = notes
  return { stream, turns, tools, ...options, ...kit.defined({ output }), fields, settings, extras }
}

function readTurns(messages: readonly unknown[], notes: kit.Notes): kit.Turn[] {
  let begun = false
  const open: kit.ToolCallPart[] = []
  const results = new Map<kit.ToolResult, string>()
  const turns = messages.map((item, at): kit.Turn => {
    const path = `messages[${at}]`
    const message = kit.readObject(item, path)
    const { role } = message
    const said = kit.readText(message['content'] ?? '', `${path}.content`)
    const text: kit.TextPart[] = said ? [{ type: 'text', text: said }] : []
    if (begun && role === 'system') notes.uses('system_midway', path)
    if (role === 'system') return { role, content: text }
    begun = true
    if (role === 'assistant') {
      if (message['thinking']) notes.uses('reasoning_history', `${path}.thinking`)
      const calls = readCalls(message, (call) => kit.toolIdOf(at, call))
      open.push(...calls)
      return { role, content: [...text, ...calls] }
    }
    if (role === 'tool') {
      const result = { callId: takeCall(open, message) ?? kit.toolIdOf(at), content: text }
      results.set(result, path)
      return { role, results: [result] }
    }
    if (role !== 'user') throw kit.wrong(`${path}.role`, 'one of system, user, assistant, tool')
    const content = [...text, ...readImages(message['images'] ?? [], `${path}.images`, notes)]
    notes.usesContent(content, path)
    return { role, content }
  })
  kit.noteStrayResult(turns, results, notes)
  if (turns.at(-1)?.role === 'assistant') notes.uses('assistant_prefill', 'messages')
  return turns
}

/** The id of the call that a result answers: the one that it names, or the next one of its tool. */
function takeCall(open: kit.ToolCallPart[], message: kit.JsonObject): string | undefined {
  const { tool_call_id: callId, tool_name: tool } = message
  if (typeof callId === 'string') return callId
  const at = open.findIndex(({ name }) => !tool || name === tool)
  return at < 0 ? undefined : open.splice(at, 1)[0]?.id
}

function readImages(images: unknown, path: string, notes: kit.Notes): kit.ImagePart[] {
  return kit.readList(images, path).map((image) => {
    notes.uses('image_input', path)
    const base64 = kit.readText(image, path)
    const mediaType = kit.imageTypeOf(Buffer.from(base64.slice(0, 24), 'base64'))
    return { type: 'image', source: { kind: 'data', base64 }, ...kit.defined({ mediaType }) }
  })
}

function readTool(item: kit.JsonObject, at: number): kit.Tool {
  const path = `tools[${at}].function`
  const tool = kit.readObject(item['function'], path)
  const description = kit.stringAt(tool, 'description')
  const parameters = kit.objectAt(tool, 'parameters')
  kit.checkDepth(parameters, path)
  const name = kit.readName(tool['name'], `${path}.name`)
  return { kind: 'function', name, ...kit.defined({ description, parameters }) }
}

function readFormat(format: unknown, notes: kit.Notes): kit.OutputFormat | undefined {
  if (!format) return undefined
  notes.uses(format === 'json' ? 'json_object' : 'json_schema', 'format')
  if (format === 'json') return { kind: 'json' }
  return { kind: 'schema', schema: kit.readObject(format, 'format') }
}

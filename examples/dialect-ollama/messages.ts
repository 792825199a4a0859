import * as kit from 'dragoman/dialect'

/** The text, thoughts and calls of a model as a message. */
export function writeMessage(content: readonly kit.AssistantPart[]): kit.JsonObject {
  let text = ''
  let thinking = ''
  const calls: kit.JsonObject[] = []
  for (const part of content) {
    if (part.type === 'text' || part.type === 'refusal') text += part.text
    else if (part.type === 'reasoning') thinking += part.text
    else if (part.type === 'tool_call') calls.push(writeCall(part))
  }
  const further = { thinking: thinking || undefined, tool_calls: calls[0] && calls }
  return { role: 'assistant', content: text, ...kit.defined(further) }
}

/** Arguments are an object here, also if the model wrote no JSON. */
function writeCall({ id, name, arguments: text }: kit.ToolCallPart): kit.JsonObject {
  return { id, function: { name, arguments: kit.parseObject(text || '{}') ?? { text } } }
}

/** The calls of a message. Older servers and clients have no ids: `newId` makes them. */
export function readCalls(message: unknown, newId: (at: number) => string): kit.ToolCallPart[] {
  return kit.objectsIn(kit.objectAt(message, 'tool_calls')).map((call, at) => {
    const { name, arguments: input = {} } = kit.objectAt(call, 'function') ?? {}
    kit.checkArguments(input)
    const id = kit.stringAt(call, 'id') || newId(at)
    const text = JSON.stringify(input)
    return { type: 'tool_call', kind: 'function', id, name: String(name), arguments: text }
  })
}

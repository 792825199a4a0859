import { type JsonObject, listOf, numberOf, objectOf, objectsOf, textOf } from '../../json.ts'
import { type TextRequest, type ToolDefinition, anyJsonObject } from '../../text/request.ts'

/** Reads a checked chat completions request. */
export function readChatRequest(body: JsonObject): TextRequest {
  const messages = objectsOf(body['messages'])
  const lastUser = messages.findLast((message) => message['role'] === 'user')
  const lastOther = messages.findLastIndex((message) => message['role'] !== 'tool')
  return {
    model: textOf(body['model']),
    userText: contentText(lastUser?.['content']),
    toolResults: messages.slice(lastOther + 1).map((message) => contentText(message['content'])),
    toolRounds: messages
      .slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
      .filter((message) => objectsOf(message['tool_calls']).length > 0).length,
    inputText: messages.map((message) => contentText(message['content'])).join('\n'),
    tools: objectsOf(body['tools']).map(toolOf),
    toolChoice: choiceOf(body['tool_choice']),
    outputSchema: schemaOf(objectOf(body['response_format'])),
    reasoning: !['', 'none'].includes(textOf(body['reasoning_effort'])),
    maxTokens: numberOf(body['max_completion_tokens'] ?? body['max_tokens']),
    stop: typeof body['stop'] === 'string' ? [body['stop']] : listOf(body['stop']).map(textOf),
  }
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = objectsOf(content).filter((part) => part['type'] === 'text')
  return texts.map((part) => textOf(part['text'])).join('\n')
}

function toolOf(tool: JsonObject): ToolDefinition {
  const freeform = tool['type'] === 'custom'
  const { name, parameters } = objectOf(freeform ? tool['custom'] : tool['function'])
  return { name: textOf(name), parameters, freeform }
}

function choiceOf(choice: unknown): TextRequest['toolChoice'] {
  if (choice === 'none' || choice === 'required') return choice
  const { type, [String(objectOf(choice)['type'])]: named } = objectOf(choice)
  const { name, mode } = objectOf(named)
  if (type === 'allowed_tools') return mode === 'required' ? 'required' : 'auto'
  return typeof name === 'string' ? { name } : 'auto'
}

function schemaOf(format: JsonObject): unknown {
  if (format['type'] === 'json_object') return anyJsonObject
  const { schema } = objectOf(format['json_schema'])
  return format['type'] === 'json_schema' ? (schema ?? anyJsonObject) : undefined
}

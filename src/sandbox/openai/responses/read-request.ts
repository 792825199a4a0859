import { type JsonObject, numberOf, objectOf, objectsOf, textOf } from '../../json.ts'
import { type TextRequest, type ToolDefinition, anyJsonObject } from '../../text/request.ts'
import type { History } from './history.ts'

const outputTypes = ['function_call_output', 'custom_tool_call_output']

/** Reads a checked request for a response. */
export function readResponsesRequest(
  body: JsonObject,
  { before, inputItems, summaries }: History,
): TextRequest {
  const lastUser = inputItems.findLast((item) => item['role'] === 'user')
  const lastOther = inputItems.findLastIndex((item) => !outputTypes.includes(textOf(item['type'])))
  const texts = [...summaries, ...[...before, ...inputItems].map(itemText)]
  const { effort, summary } = objectOf(body['reasoning'])
  return {
    model: textOf(body['model']),
    userText: lastUser ? itemText(lastUser) : '',
    toolResults: inputItems.slice(lastOther + 1).map(itemText),
    toolRounds: countRounds([...before, ...inputItems]),
    inputText: [textOf(body['instructions']), ...texts].join('\n'),
    tools: objectsOf(body['tools']).filter(isCallable).map(toolOf),
    toolChoice: choiceOf(body['tool_choice']),
    outputSchema: schemaOf(objectOf(objectOf(body['text'])['format'])),
    reasoning: !['', 'none'].includes(textOf(effort)) || textOf(summary) !== '',
    maxTokens: numberOf(body['max_output_tokens']),
    stop: [],
  }
}

// The results of a round stand together, after its calls.
function countRounds(items: JsonObject[]): number {
  const since = items.slice(items.findLastIndex(({ role }) => role === 'user') + 1)
  const isResult = (item: JsonObject | undefined) => outputTypes.includes(textOf(item?.['type']))
  return since.filter((item, index) => isResult(item) && !isResult(since[index - 1])).length
}

/** The text of an item of any role; empty for an item without text. */
export function itemText(item: JsonObject): string {
  const content = item['content'] ?? item['output']
  if (typeof content === 'string') return content
  return objectsOf(content)
    .filter((part) => typeof part['text'] === 'string')
    .map((part) => textOf(part['text']))
    .join('\n')
}

function isCallable(tool: JsonObject): boolean {
  return tool['type'] === 'function' || tool['type'] === 'custom'
}

function toolOf({ type, name, parameters }: JsonObject): ToolDefinition {
  return { name: textOf(name), parameters, freeform: type === 'custom' }
}

function choiceOf(choice: unknown): TextRequest['toolChoice'] {
  if (choice === 'none' || choice === 'required') return choice
  const { type, name, mode } = objectOf(choice)
  if (type === 'allowed_tools') return mode === 'required' ? 'required' : 'auto'
  return typeof name === 'string' ? { name } : 'auto'
}

function schemaOf({ type, schema }: JsonObject): unknown {
  if (type === 'json_object') return anyJsonObject
  return type === 'json_schema' ? schema : undefined
}

import * as kit from 'dragoman/dialect'

import { writeMessage } from './messages.ts'
import { writeOptions } from './options.ts'

export function encodeRequest(
  request: kit.GenerateRequest,
  model: string,
  drop: kit.RecordLoss,
): kit.EncodedRequest {
  const { turns, tools, toolChoice, output, stream } = request
  if (toolChoice?.mode === 'required') {
    drop(kit.choiceField(request), 'the Ollama API cannot make a model call tools')
  }
  const only = toolChoice?.mode === 'none' ? [] : toolChoice?.only
  const offered = tools.filter(({ name }) => only?.includes(name) ?? true)
  const further = {
    tools: offered[0] && offered.map(writeTool),
    format:
      output?.kind === 'schema' ? output.schema : output?.kind === 'json' ? 'json' : undefined,
  }
  const messages = turns.flatMap(writeTurn)
  const options = writeOptions(request)
  const body = { model, messages, stream, options, ...kit.defined(further) }
  return { path: '/api/chat', body }
}

function writeTurn(turn: kit.Turn): kit.JsonObject[] {
  if (turn.role === 'assistant') return [writeMessage(turn.content)]
  if (turn.role === 'tool') {
    return turn.results.map(({ callId, name, content }) => {
      const result = { role: 'tool', content: textOf(content), tool_call_id: callId }
      return { ...result, ...kit.defined({ tool_name: name }) }
    })
  }
  const images = turn.content.flatMap((part) =>
    part.type === 'image' && part.source.kind === 'data' ? [part.source.base64] : [],
  )
  return [{ role: turn.role, content: textOf(turn.content), ...(images[0] && { images }) }]
}

function textOf(content: readonly kit.UserPart[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function writeTool({ name, description, ...tool }: kit.Tool): kit.JsonObject {
  const parameters = tool.kind === 'function' ? tool.parameters : undefined
  return { type: 'function', function: { name, ...kit.defined({ description, parameters }) } }
}

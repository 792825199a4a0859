import { type JsonObject, isGiven, objectsOf, textOf } from '../../json.ts'
import { ruleFault } from '../../fault.ts'

/**
 * Throws unless tool messages follow every tool call at once, and every tool message has its call.
 */
export function checkMessages(messages: JsonObject[]): void {
  let open: string[] = []
  messages.forEach((message, index) => {
    if (message['role'] === 'tool') {
      open = withoutAnswered(open, textOf(message['tool_call_id']), index)
    } else {
      if (open.length > 0) throw unanswered(open, index - 1)
      open = callIdsOf(message, index)
    }
  })
  if (open.length > 0) throw unanswered(open, messages.length - 1)
}

function callIdsOf(message: JsonObject, index: number): string[] {
  if (message['role'] !== 'assistant') return []
  const calls = objectsOf(message['tool_calls'])
  if (calls.length === 0 && !hasContent(message))
    throw ruleFault(
      ['messages', index, 'content'],
      "Invalid value for 'content': expected a string, got null.",
    )
  return calls.map((call) => textOf(call['id']))
}

function hasContent(message: JsonObject): boolean {
  return ['content', 'refusal', 'audio', 'function_call'].some((key) => isGiven(message[key]))
}

function withoutAnswered(open: string[], id: string, index: number): string[] {
  if (!open.includes(id))
    throw ruleFault(
      ['messages', index, 'role'],
      "Invalid parameter: messages with role 'tool' must be a response to a preceding message " +
        `with 'tool_calls'. No open call has the id '${id}'.`,
    )
  return open.filter((one) => one !== id)
}

function unanswered(open: string[], index: number): Error {
  return ruleFault(
    ['messages', index, 'role'],
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each " +
      `'tool_call_id'. The following tool_call_ids did not have response messages: ` +
      open.join(', '),
  )
}

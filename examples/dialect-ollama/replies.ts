import * as kit from 'dragoman/dialect'

import { readCalls, writeMessage } from './messages.ts'

/** Reads one line of a stream. A complete reply is a stream of one line. */
export function readLine(
  line: kit.JsonObject,
  request: kit.GenerateRequest,
  events: kit.ReplyEvents,
): void {
  const failure = kit.errorIn(line)
  if (failure) return events.fail(kit.failureOf(failure, 502))
  events.start(kit.defined({ model: kit.stringAt(line, 'model') }))
  const message = kit.objectAt(line, 'message')
  events.text('reasoning', kit.stringAt(message, 'thinking'))
  events.text('text', kit.stringAt(message, 'content'))
  const newId = (at: number) => kit.toolIdOf(kit.originOf(request), events.calls + at)
  for (const call of readCalls(message, newId)) events.call(call)
  if (line['done'] !== true) return
  const raw = kit.stringAt(line, 'done_reason') ?? 'stop'
  const reason = raw === 'length' ? raw : events.calls > 0 ? 'tool_calls' : 'stop'
  events.finish({ reason, raw }, kit.knownUsage(readUsage(line)))
}

export const errorBody = ({ message: error }: kit.GatewayError) => ({ error })

export const readUsage = (json: unknown) => ({
  inputTokens: kit.tokensAt(json, 'prompt_eval_count'),
  outputTokens: kit.tokensAt(json, 'eval_count'),
})

/** Writes one line; the last one has the reason for the end and the usage. */
export function writeLine(
  { model, now, drop }: kit.ReplyContext,
  content: readonly kit.AssistantPart[],
  end?: kit.ReplyEnd,
): kit.JsonObject {
  const lost = content.find(({ type }) => type === 'image' || type === 'audio')
  if (lost) drop(`message.${lost.type}`, 'the Ollama API has only text in replies')
  const line = { model, created_at: new Date(now).toISOString(), message: writeMessage(content) }
  if (!end) return { ...line, done: false }
  const { inputTokens: prompt_eval_count, outputTokens: eval_count } = end.usage
  if (/filtered|refused/.test(end.stop.reason)) drop('done_reason', 'Ollama has no such end')
  const done_reason = /length|context/.test(end.stop.reason) ? 'length' : 'stop'
  return { ...line, done: true, done_reason, ...kit.defined({ prompt_eval_count, eval_count }) }
}

import { styleText } from 'node:util'

import type { LogLevel, LogRecord } from '../../lib/log.ts'
import { isObject } from '../../lib/json/object.ts'
import { visibleInLine } from '../../lib/visible.ts'

type Color = 'dim' | 'red' | 'yellow' | 'green'

/** Colors a part of a line. */
type Paint = (color: Color, text: string) => string

const plain: Paint = (_color, text) => text

/** The terminal has been examined: `styleText` does not look at the environment again. */
const colored: Paint = (color, text) => styleText(color, text, { validateStream: false })

const levelColors: Readonly<Partial<Record<LogLevel, Color>>> = {
  debug: 'dim',
  warn: 'yellow',
  error: 'red',
}

/**
 * A record as one line for people: time of day (UTC), level, message, fields. A line of the access log has status,
 * request, duration, model and account; a line of an act has what people ask for first. No name in it steers a
 * terminal, and none looks like a part of the line that it is not.
 */
export function prettyLine(record: object, hasColors: boolean): string {
  const paint = hasColors ? colored : plain
  // The lines of both logs have these fields.
  const { time, level, msg, ...fields } = record as LogRecord
  const text =
    msg === 'exchange' ? accessText(fields, level, paint) : operatorsText(level, msg, fields, paint)
  return `${paint('dim', shown(time.slice('yyyy-mm-ddT'.length)))} ${text}`
}

type Fields = Readonly<Record<string, unknown>>

/** A line of the operators' log. An act of an administrator has the members that people ask for first. */
function operatorsText(level: LogLevel, msg: string, fields: Fields, paint: Paint): string {
  const { audit } = fields
  if (msg !== 'audit' || !isObject(audit)) return messageText(level, msg, fields, paint)
  const { action, result, reason, message, address, count, requestId } = audit
  const rest = {
    by: isObject(audit['actor']) ? nameOf(audit['actor']) : undefined,
    reason,
    message,
    address: isObject(audit['actor']) ? undefined : address,
    count,
    request_id: requestId,
  }
  const target = isObject(audit['target']) ? quoted(nameOf(audit['target'])) : ''
  return messageText(level, ['audit', action, target, result].join(' '), rest, paint)
}

/** `token:ops`, `account:openai-1`. */
function nameOf({ kind, type, id }: Fields): string {
  return `${String(kind ?? type)}:${String(id)}`
}

function messageText(level: LogLevel, msg: string, fields: Fields, paint: Paint): string {
  const name = level.toUpperCase().padEnd('ERROR'.length)
  const color = levelColors[level]
  return [color ? paint(color, name) : name, shown(msg), ...pairs(fields, paint)].join(' ')
}

/** `200 POST /v1/responses 812 ms gpt-4.1 -> openai-1 key=team-a in=12 out=34`. */
function accessText(fields: Fields, level: LogLevel, paint: Paint): string {
  const { status, method, path, duration_ms: ms, model_requested: model, account } = fields
  const end = fields['stream_end'] === 'complete' ? undefined : fields['stream_end']
  const attempts = fields['attempts'] === 1 ? undefined : fields['attempts'] || undefined
  const parts = [
    paint(level === 'error' ? 'red' : 'green', shown(status)),
    shown(method),
    quoted(path),
    `${Math.round(Number(ms))} ms`,
    ...(model === undefined ? [] : [quoted(model)]),
    ...(account === undefined ? [] : ['->', quoted(account)]),
  ]
  const rest = {
    key: fields['key_id'],
    in: fields['input_tokens'],
    out: fields['output_tokens'],
    first_ms: fields['stream'] === true ? rounded(fields['ttft_ms']) : undefined,
    attempts,
    error: fields['error_type'],
    end,
    job: fields['job_id'],
    ...(level === 'error' && { request_id: fields['request_id'] }),
  }
  return [...parts, ...pairs(rest, paint)].join(' ')
}

function pairs(fields: Fields, paint: Paint): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${paint('dim', `${shown(name)}=`)}${quoted(value)}`)
}

/** A value with spaces or the like stands in quotes, so that its end can be seen. */
function quoted(value: unknown): string {
  const isWord = typeof value === 'string' && /^[^\s"={}[\]]+$/.test(value)
  return shown(isWord ? value : JSON.stringify(value))
}

function shown(value: unknown): string {
  return visibleInLine(typeof value === 'string' ? value : String(value))
}

function rounded(value: unknown): number | undefined {
  return typeof value === 'number' ? Math.round(value) : undefined
}

import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'

import { mostBareBytes, mostEscapes } from '../../src/lib/json/measure.ts'

const MiB = 1024 * 1024

/** The largest JSON body of the default configuration, in bytes. */
const largest = 64 * MiB

/** The most values and names of the default configuration. */
const mostValues = 250_000

/** The largest document that is decoded, in bytes. */
export const largestDocument = 8 * MiB - 8

/** A body of a chat request, for a model. */
type Body = (model: string) => Buffer

/** A body that answers 200, of the worst shape that the limits permit. */
export const permitted: Readonly<Record<string, Body>> = {
  'one text': (model) => withText(model, 'a'),
  'one text with line ends': (model) => withEscapes(model, '\\n'),
  'one text with quotes': (model) => withEscapes(model, '\\"'),
  'one text with backslashes': (model) => withEscapes(model, '\\\\'),
  'one text with \\u0000': (model) => withEscapes(model, '\\u0000'),
  'one text with halves of surrogate pairs': (model) => withEscapes(model, '\\ud800'),
  'one text with slashes': (model) => withText(model, '\\/aaa'),
  'one text of kanji': (model) => withText(model, '漢'),
  'one text of emoji': (model) => withText(model, 'x😀'),
  'many messages': (model) => withMessages(model, mostValues / 5 - 10, 1200),
  'many short messages': (model) => withMessages(model, mostValues / 5 - 10, 1),
  'many empty objects': (model) => withMember(model, `[${list('{}', mostValues - 100)}]`),
  'many names': (model) => withMember(model, `{${numbered(mostValues / 2 - 100)}}`),
  'many numeric names': (model) =>
    withMember(
      model,
      `{${numbered(mostValues / 2 - 100, (at) => String((at * 65_536) % 4_294_967_291))}}`,
    ),
  'one name many times': (model) => withMember(model, `{${list('"a":1', mostValues / 2 - 100)}}`),
  'names of the SDK many times': (model) => withParsed(model, mostValues / 2 - 100),
  'deep nesting': (model) => withMember(model, '['.repeat(198) + ']'.repeat(198)),
  'deep nesting around a text': (model) =>
    withMember(model, `${'['.repeat(198)}"${'a'.repeat(60 * MiB)}"${']'.repeat(198)}`),
  blanks: (model) => withMember(model, `${' '.repeat(mostBareBytes - 1000)}1`),
  'many parts': (model) =>
    chat(
      model,
      `{"role":"user","content":[${list('{"type":"text","text":"a"}', mostValues / 5 - 10)}]}`,
    ),
  'many tool calls': (model) => withCalls(model, () => '{}'),
  'many tools': (model) => withTools(model),
  '16 images of 2.9 MiB': (model) => withImages(model, 16, 2.9 * MiB),
  '10 MB in 2,000 messages': (model) => withMessages(model, 2_000, 5_000),
  'a document in EUC-JP': (model) =>
    withDocument(model, 'text/plain;charset=euc-jp', encoded([0x8f, 0xb0, 0xa1], largestDocument)),
  'a document in windows-1252': (model) =>
    withDocument(model, 'text/plain;charset=windows-1252', encoded([0x80], largestDocument)),
  'a document whose base64 has many blanks': (model) =>
    withDocument(model, 'text/plain', 'YWJj '.repeat(12 * MiB)),
  'many top-level names': (model) => withTopLevel(model, mostValues / 2 - 100, '1'),
  'many top-level texts': (model) => withTopLevel(model, 40_000, `"${'a'.repeat(1100)}"`),
  'a schema of many properties': (model) => withSchema(model, mostValues / 6 - 100),
  'a schema of the most properties that are enforced': (model) => withSchema(model, 15_990),
  'a schema of many references': (model) => withReferences(model),
  'a schema of long references': (model) => withLongReferences(model),
  'many tools with long names': (model) =>
    withLongTools(model, (at) => String(at).padStart(17_000, 'a')),
  'many calls with long ids': (model) =>
    withLongIds(model, (at) => String(at).padStart(17_000, 'a')),
  'a tool with a long name': (model) => withTool(model, '.'.repeat(60 * MiB)),
  'a message of many names': (model) =>
    chat(model, `{"role":"user","content":"hi",${numbered(mostValues / 2 - 100)}}`),
}

/** A body of a Responses request that answers 200, of the worst shape that the limits permit. */
export const permittedResponses: Readonly<Record<string, Body>> = {
  'an item of many names': (model) =>
    withInput(model, `{"role":"user","content":"hi",${numbered(mostValues / 2 - 100)}}`),
  'many items': (model) =>
    withInput(model, list('{"role":"user","content":"hi"}', mostValues / 5 - 10)),
}

/** Compressed bodies that are refused. */
export const bombs: Readonly<Record<string, { encoding: string; bytes: () => Buffer }>> = {
  'gzip of empty objects': { encoding: 'gzip', bytes: () => gzipSync(emptyObjects()) },
  'br of empty objects': {
    encoding: 'br',
    bytes: () =>
      brotliCompressSync(emptyObjects(), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  },
  'zstd of empty objects': { encoding: 'zstd', bytes: () => zstdCompressSync(emptyObjects()) },
  'gzip of gzip': { encoding: 'gzip, gzip', bytes: () => gzipSync(gzipSync(emptyObjects())) },
  '61 layers of gzip': {
    encoding: Array(61).fill('gzip').join(', '),
    bytes: () =>
      Array(61)
        .fill(0)
        .reduce<Buffer>((inner) => gzipSync(inner), Buffer.from('{}')),
  },
}

/** Bodies that a translation refuses. */
export const untranslatable: Readonly<Record<string, Body>> = {
  'many tool calls of large arguments': (model) =>
    withCalls(model, () => `{"a":[${list('[]', 1000)}]}`),
  'a large document in windows-1252': (model) =>
    withDocument(model, 'text/plain;charset=windows-1252', encoded([0x80])),
  'a document that is no EUC-JP': (model) =>
    withDocument(model, 'text/plain;charset=euc-jp', encoded([0x8f], largestDocument)),
}

/** Bodies that are refused once they have arrived. */
export const refused: Readonly<Record<string, Body>> = {
  'one text of line ends': (model) => withText(model, '\\n'),
  'one text of slashes': (model) => withText(model, '\\/'),
  'one text of quotes': (model) => withText(model, '\\"'),
  'one text of kanji and a half': (model) => withText(model, '漢').fill(0xff, 1_000, 1_001),
  'more blanks': (model) => withMember(model, `${' '.repeat(60 * MiB)}1`),
  'empty objects': (model) => withMember(model, `[${list('{}', 22_000_000)}]`),
  'a long number': (model) => withMember(model, '1'.repeat(60 * MiB)),
  'long names of the same length': (model) =>
    withTopLevel(model, 3500, '1', (at) => String(at).padStart(17_000, '.')),
  brackets: (model) => withMember(model, '['.repeat(60 * MiB)),
  'a text that does not end': (model) => withText(model, 'a').subarray(0, -4),
  'an unknown model': () => withText('unknown', 'a'),
  'an unknown model of encoded bytes': () =>
    withMember('%2525252541'.repeat((60 * MiB) / 11), 'null'),
}

function emptyObjects(): Buffer {
  return withMember('large', `[${list('{}', 22_000_000)}]`)
}

function withText(model: string, unit: string): Buffer {
  const times = Math.floor((largest - 1000) / Buffer.byteLength(unit))
  return chat(model, `{"role":"user","content":"a${unit.repeat(times)}"}`)
}

/** The largest text with the most escapes, as far from each other as that makes them. */
function withEscapes(model: string, escape: string): Buffer {
  const length = Math.ceil(largest / mostEscapes)
  return withText(model, escape.padEnd(length + 1, 'a'))
}

function withMessages(model: string, count: number, length: number): Buffer {
  return chat(model, list(`{"role":"user","content":"${'a'.repeat(length)}"}`, count))
}

function withImages(model: string, count: number, bytes: number): Buffer {
  const url = `data:image/png;base64,${Buffer.alloc(bytes, 'image').toString('base64')}`
  const part = `{"type":"image_url","image_url":{"url":"${url}"}}`
  return chat(model, `{"role":"user","content":[${list(part, count)}]}`)
}

/** A body with a document in base64. */
export function withDocument(model: string, type: string, base64: string): Buffer {
  const file = `{"type":"file","file":{"file_data":"data:${type};base64,${base64}"}}`
  return chat(model, `{"role":"user","content":[${file}]}`)
}

/** The base64 of repeated bytes, by default as many as a body may have. */
export function encoded(bytes: number[], length = 45 * MiB): string {
  return Buffer.alloc(length, Buffer.from(bytes)).toString('base64')
}

function withParsed(model: string, count: number): Buffer {
  return chat(model, `{"role":"user","content":"hi",${list('"parsed":1', count)}}`)
}

/** Calls that all have the same id, and a result of each. */
function withCalls(model: string, argumentsOf: () => string): Buffer {
  const call = `{"id":"c","type":"function","function":{"name":"f","arguments":${JSON.stringify(argumentsOf())}}}`
  const count = mostValues / 20
  const result = '{"role":"tool","tool_call_id":"c","content":"r"}'
  return chat(
    model,
    `{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[${list(call, count)}]},${list(result, count)}`,
  )
}

function withTools(model: string): Buffer {
  const tools = Array.from(
    { length: mostValues / 30 },
    (_, at) =>
      `{"type":"function","function":{"name":"f${at}","description":"d","parameters":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}}`,
  )
  return Buffer.from(
    `{"model":"${model}","messages":[{"role":"user","content":"hi"}],"tools":[${tools.join(',')}]}`,
  )
}

function withLongTools(model: string, nameOf: (at: number) => string): Buffer {
  const tools = Array.from(
    { length: 3_500 },
    (_, at) => `{"type":"function","function":{"name":"${nameOf(at)}"}}`,
  )
  return Buffer.from(
    `{"model":"${model}","messages":[{"role":"user","content":"hi"}],"tools":[${tools.join(',')}]}`,
  )
}

/** Calls of which each has another id, and a result of each. */
function withLongIds(model: string, idOf: (at: number) => string): Buffer {
  const ids = Array.from({ length: 1_700 }, (_, at) => idOf(at))
  const calls = ids.map(
    (id) => `{"id":"${id}","type":"function","function":{"name":"f","arguments":"{}"}}`,
  )
  const results = ids.map((id) => `{"role":"tool","tool_call_id":"${id}","content":"r"}`)
  return chat(
    model,
    `{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[${calls.join(',')}]},${results.join(',')}`,
  )
}

function withTool(model: string, name: string): Buffer {
  return Buffer.from(
    `{"model":"${model}","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"${name}"}}]}`,
  )
}

function withTopLevel(
  model: string,
  count: number,
  value: string,
  nameOf?: (at: number) => string,
): Buffer {
  return Buffer.from(
    `{"model":"${model}","messages":[{"role":"user","content":"hi"}],${numbered(count, nameOf, value)}}`,
  )
}

function withSchema(model: string, count: number): Buffer {
  const names = Array.from({ length: count }, (_, at) => `"p${at}"`)
  const properties = names.map((name) => `${name}:{"type":"string"}`)
  return formatted(
    model,
    `{"type":"object","properties":{${properties.join(',')}},"required":[${names.join(',')}],"additionalProperties":false}`,
  )
}

/** References to one large node, each in another spelling. */
function withReferences(model: string): Buffer {
  const name = 'abcdefghijkl'
  const references = Array.from({ length: 2 ** name.length }, (_, bits) => {
    const spelled = name.split('').map((letter, at) => {
      return (bits >> at) & 1 ? `%${letter.charCodeAt(0).toString(16)}` : letter
    })
    return `{"$ref":"#/properties/${spelled.join('')}"}`
  })
  const large = `{"enum":[${list('{}', mostValues - 4 * references.length)}]}`
  return formatted(
    model,
    `{"type":"object","properties":{"${name}":${large},"other":{"anyOf":[${references.join(',')}]}}}`,
  )
}

/** References with the most steps that are followed, on a way that has them. */
function withLongReferences(model: string): Buffer {
  const levels = 29
  const way = '/a'.repeat(levels)
  const deep = `${'{"a":'.repeat(levels)}{}${'}'.repeat(levels)}`
  const references = Array.from({ length: 60_000 }, (_, at) => `{"$ref":"#/x${way}/p${at}"}`)
  return formatted(model, `{"type":"object","anyOf":[${references.join(',')}],"x":${deep}}`)
}

function formatted(model: string, schema: string): Buffer {
  return Buffer.from(
    `{"model":"${model}","messages":[{"role":"user","content":"hi"}],"response_format":{"type":"json_schema","json_schema":{"name":"s","strict":true,"schema":${schema}}}}`,
  )
}

function withInput(model: string, items: string): Buffer {
  return Buffer.from(`{"model":"${model}","input":[${items}]}`)
}

function withMember(model: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from(`{"model":"${model}","messages":[{"role":"user","content":"hi"}],"other":`),
    Buffer.from(value),
    Buffer.from('}'),
  ])
}

function chat(model: string, messages: string): Buffer {
  return Buffer.from(`{"model":"${model}","messages":[${messages}]}`)
}

function list(unit: string, count: number): string {
  return `${`${unit},`.repeat(count - 1)}${unit}`
}

function numbered(count: number, nameOf = (at: number) => `k${at}`, value = '1'): string {
  return Array.from({ length: count }, (_, at) => `"${nameOf(at)}":${value}`).join(',')
}

import { connect } from 'node:net'
import { finished } from 'node:stream/promises'

/** The head of a request that a stranger sends, without a key of the gateway. */
interface Head {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Characters of the text and of the keys, whose sum is a little less than a head may have. */
const half = 7_000

const encoded = '%2525252541'.repeat(380)
const manyKeys = Array.from({ length: 800 }, (_, at) => `key=${String(at).padStart(4, 'z')}`)
const fewKeys = Array.from({ length: 8 }, (_, at) => `key=${String(at).repeat(4)}`)

/** Heads that are worst for the search of credentials in the texts of their request. */
export const heads: Readonly<Record<string, Head>> = {
  'a head of 800 keys, to no endpoint': {
    path: `/x/${encoded}?${manyKeys.join('&')}`,
    headers: { 'user-agent': encoded },
  },
  'a head of 800 keys, to a dialect': {
    path: `/v1/responses/${encoded}?${manyKeys.join('&')}`,
    headers: { 'user-agent': encoded },
  },
  'a head of eight keys': {
    path: `/x/${encoded}${encoded}?${fewKeys.join('&')}`,
    headers: { 'user-agent': encoded },
  },
  'a head of a thousand bearers': {
    path: `/x/${encoded}`,
    headers: { authorization: Array.from({ length: 1_000 }, (_, at) => `k${at}`).join(',') },
  },
  'a head of one long key, which nearly fits everywhere': {
    path: `/x/%25252541${'a'.repeat(half)}`,
    headers: { authorization: `Bearer b${'a'.repeat(half / 2)}` },
  },
  'a head of one long key, whose end fits nowhere': {
    path: `/x/%25252541${'a'.repeat(half)}`,
    headers: { authorization: `Bearer ${'a'.repeat(half / 2)}b` },
  },
  'a head of parameters without a value': { path: `/x?${'k&'.repeat(half)}` },
}

/** Sends the same head over so many connections at once. Resolves with the statuses. */
export function sendHeads(url: string, head: Head, times: number): Promise<readonly number[]> {
  return Promise.all(Array.from({ length: times }, () => sendHead(url, head)))
}

async function sendHead(url: string, { path, headers = {} }: Head): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
  const all = { host: 'a', connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  await finished(socket)
  return Number(text.split(' ', 2)[1])
}

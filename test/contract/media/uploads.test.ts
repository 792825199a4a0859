import { afterAll } from 'vitest'

import { temporaryDirectory } from '../../stores/temporary.ts'
import type { FieldRow } from '../rows.ts'
import { describeTable } from '../suite.ts'
import { imageAccounts } from './accounts.ts'

const endpoint = 'Endpoints, POST /v1/files/upload_url'
const further = 'docs/uploads.md, the request'

/** A path of segments of these lengths. */
function pathOf(...lengths: number[]): string {
  return lengths.map((length) => 'x'.repeat(length)).join('/')
}

const rows: readonly FieldRow[] = [
  {
    says: `${endpoint}: path (string, required)`,
    field: 'path',
    type: 'string',
    required: true,
    notBlank: true,
    taken: ['x', 'images/cat.png', 'é/ü.png', '...', 'x'.repeat(255), pathOf(170, 170, 170)],
    refused: [
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      'a/../b',
      './a',
      'a\\b',
      'a\u0000b',
      'a\nb',
      'x'.repeat(256),
      pathOf(170, 170, 171),
      'é'.repeat(257),
    ],
  },
  {
    says: `${endpoint}: storage_provider (string, optional; a provider code)`,
    field: 'storage_provider',
    type: 'string',
    taken: ['local'],
    refused: [' ', 'other', 'LOCAL', 'local '],
  },
  ...['region', 'storage_region'].map((field): FieldRow => ({
    says: `${endpoint}: an optional region`,
    field,
    type: 'string',
    refused: ['nowhere', ' '],
    named: 'region',
  })),
  {
    says: `${further}: content_type, the media type of the file`,
    field: 'content_type',
    type: 'string',
    taken: ['image/png', 'text/plain; charset=utf-8'],
    refused: ['png', 'image/', ' ', 'a/b\r\nx: y', `a/${'b'.repeat(127)}`],
  },
  {
    says: `${further}: size, in bytes`,
    field: 'size',
    type: 'integer',
    min: 0,
    taken: [1_000],
  },
  {
    says: `${further}: overwrite`,
    field: 'overwrite',
    type: 'boolean',
    taken: [true, false],
  },
]

const directory = await temporaryDirectory()
afterAll(() => directory[Symbol.asyncDispose]())

describeTable({
  target: {
    title: 'POST /v1/files/upload_url',
    path: '/v1/files/upload_url',
    encodings: ['json'],
    valid: () => ({ path: 'images/cat.png' }),
    asks: 0,
  },
  accounts: imageAccounts,
  rows,
  options: { uploads: { directory: directory.path, maxBytes: 1_000 } },
})

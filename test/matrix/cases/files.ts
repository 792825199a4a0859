import assert from 'node:assert/strict'

import type { Case, Seen } from './case.ts'

const image = {
  type: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}

const document = {
  type: 'application/pdf',
  name: 'paper.pdf',
  data: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n').toString(
    'base64',
  ),
}

const withImage: Case = {
  name: 'image',
  upstream: 'echo',
  settings: {},
  turns: [[{ image }, { text: 'What is this?' }]],
  check: (seen) => checkFile(seen, { kind: 'image', ...image }, 'What is this?'),
}

const withDocument: Case = {
  name: 'document (PDF)',
  upstream: 'echo',
  settings: {},
  turns: [[{ document }, { text: 'Who wrote it?' }]],
  check(seen) {
    const { type, data } = document
    checkFile(seen, { kind: 'document', type, data }, 'Who wrote it?')
  },
}

/** The bytes arrive as they left, and with the question about them. */
function checkFile({ replies, received }: Seen, file: object, question: string): void {
  const turns = received[0]?.turns ?? []
  assert.deepEqual(
    turns.map(({ role, files }) => ({ role, files })),
    [{ role: 'user', files: [file] }],
  )
  // Where files have no title, it is told in front of the question.
  for (const text of [turns[0]?.text, replies[0]?.text]) {
    assert.ok(text?.endsWith(question), `${text} does not end with the question`)
  }
}

export const files = [withImage, withDocument]

import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { Encoding, FieldRow } from '../rows.ts'
import { describeTable } from '../suite.ts'
import { jpegFile, pngFile, webpFile } from '../../sandbox/pictures.ts'
import { imageAccounts } from './accounts.ts'
import { picture, pictureUrl } from './pictures.ts'

const table = 'Endpoints, POST /v1/images/edits'
const limit = 'Limits, image edit'

/** Values that are no picture in JSON. */
const noPictures = [
  {},
  ' ',
  'text',
  { image_url: 7 },
  { image_url: ' ' },
  { image_url: 'text' },
  { image_url: { url: pictureUrl } },
  { file_id: 7 },
  { file_id: ' ' },
  { image_url: pictureUrl, file_id: 'file-1' },
  { image_url: 7, file_id: 'file-1' },
]

const shared: readonly FieldRow[] = [
  {
    says: `${table}: model`,
    field: 'model',
    type: 'string',
    notBlank: true,
    taken: ['gpt-image-1'],
  },
  { says: `${limit} n: 1..10`, field: 'n', type: 'integer', min: 1, max: 10 },
  { says: `${table}: user, end-user identifier`, field: 'user', type: 'string', taken: ['me'] },
]

const pictureRow = {
  says: `${table}: image, file or array of files`,
  field: 'image',
  type: 'object',
  required: true,
  refused: [new File(['no picture'], 'a.png'), 'text'],
  encodings: ['form'],
} as const

/** An edit that is within all limits. */
const validEdit =
  (model: string) =>
  (encoding: Encoding): JsonObject => ({
    model,
    prompt: 'a hat',
    ...(encoding === 'form' ? { image: picture } : { images: [{ image_url: pictureUrl }] }),
  })

const newer: readonly FieldRow[] = [
  ...shared,
  {
    says: `${limit} prompt: 32000 (newer)`,
    field: 'prompt',
    type: 'string',
    required: true,
    notBlank: true,
    min: 1,
    max: 32_000,
    unit: 'é',
  },
  {
    says: `${table}: background, transparent, opaque, auto`,
    field: 'background',
    type: 'string',
    words: ['transparent', 'opaque', 'auto'],
  },
  {
    says: `${table}: output_format, png, jpeg, webp`,
    field: 'output_format',
    type: 'string',
    words: ['png', 'jpeg', 'webp'],
  },
  {
    says: `${table}: quality, auto, high, medium, low (newer model)`,
    field: 'quality',
    type: 'string',
    words: ['auto', 'high', 'medium', 'low'],
    refused: ['standard'],
  },
  {
    says: `${table}: size, 1024x1024, 1536x1024, 1024x1536, auto`,
    field: 'size',
    type: 'string',
    words: ['1024x1024', '1536x1024', '1024x1536', 'auto'],
    refused: ['256x256', '512x512'],
  },
  {
    says: `${table}: stream, boolean`,
    field: 'stream',
    type: 'boolean',
    taken: [false],
  },
  {
    says: `${table}: input fidelity (high or low)`,
    field: 'input_fidelity',
    type: 'string',
    words: ['high', 'low'],
  },
  {
    says: `${limit} output compression: 0..100`,
    field: 'output_compression',
    type: 'integer',
    min: 0,
    max: 100,
    beside: { output_format: 'webp' },
  },
  {
    says: `${limit} partial images: 0..3`,
    field: 'partial_images',
    type: 'integer',
    min: 0,
    max: 3,
  },
  {
    says: `${table}: response format, legacy model only`,
    field: 'response_format',
    type: 'string',
    refused: ['url', 'b64_json', 'text'],
  },
  {
    ...pictureRow,
    taken: [picture, jpegFile(), webpFile(), Array.from({ length: 16 }, () => picture)],
    refused: [...pictureRow.refused, Array.from({ length: 17 }, () => picture)],
  },
  {
    says: `${limit}, newer model: up to 16 images`,
    field: 'images',
    type: 'array',
    required: true,
    named: 'image',
    min: 1,
    max: 16,
    unit: { image_url: pictureUrl },
    refused: [[7], [null], [[]], ...noPictures.map((one) => [one])],
    encodings: ['json'],
  },
  {
    says: `${table}: mask, PNG, same dimensions as the image`,
    field: 'mask',
    type: 'object',
    taken: [picture],
    refused: [webpFile(), pngFile(32, { seeThrough: true }), pngFile(64)],
    encodings: ['form'],
  },
  {
    says: `${table}: mask, PNG, same dimensions as the image`,
    field: 'mask',
    type: 'object',
    taken: [{ image_url: pictureUrl }, pictureUrl, { file_id: 'file-1' }],
    refused: noPictures,
    encodings: ['json'],
  },
]

const legacy: readonly FieldRow[] = [
  ...shared,
  {
    says: `${limit} prompt: 1000 characters (legacy)`,
    field: 'prompt',
    type: 'string',
    required: true,
    notBlank: true,
    min: 1,
    max: 1_000,
    unit: '🐈',
  },
  {
    says: `${table}: quality, standard (legacy model)`,
    field: 'quality',
    type: 'string',
    words: ['standard', 'auto'],
    refused: ['high', 'medium', 'low'],
  },
  {
    says: `${table}: size, legacy model: 256x256, 512x512, 1024x1024`,
    field: 'size',
    type: 'string',
    words: ['256x256', '512x512', '1024x1024'],
    refused: ['1536x1024', 'auto'],
  },
  {
    says: `${table}: response format (url or b64_json, legacy model only)`,
    field: 'response_format',
    type: 'string',
    words: ['url', 'b64_json'],
  },
  ...['background', 'output_format', 'input_fidelity'].map((field): FieldRow => ({
    says: `${table}: ${field}, newer model only`,
    field,
    type: 'string',
    refused: ['auto', 'png', 'high', 'text'],
  })),
  ...['output_compression', 'partial_images'].map((field): FieldRow => ({
    says: `${table}: ${field}, newer model only`,
    field,
    type: 'integer',
    refused: [0, 1, 100],
  })),
  {
    says: `${table}: stream, boolean; of newer models`,
    field: 'stream',
    type: 'boolean',
    taken: [false],
    refused: [true],
  },
  {
    ...pictureRow,
    says: `${limit}, legacy model: one square png image`,
    taken: [picture],
    refused: [
      ...pictureRow.refused,
      jpegFile(),
      webpFile(),
      pngFile([64, 32], { seeThrough: true }),
      [picture, picture],
    ],
  },
]

for (const [model, rows] of [
  ['gpt-image-1', newer],
  ['dall-e-2', legacy],
] as const) {
  describeTable({
    target: {
      title: `POST /v1/images/edits with ${model}`,
      path: '/v1/images/edits',
      encodings: ['json', 'form'],
      valid: validEdit(model),
    },
    accounts: imageAccounts,
    rows,
  })
}

/** What generations share with edits. */
const generations: readonly FieldRow[] = newer
  .filter(
    ({ field }) =>
      !['image', 'images', 'mask', 'size', 'quality', 'response_format'].includes(field),
  )
  .map((row) => ({ ...row, encodings: ['json'] as const }))

describeTable({
  target: {
    title: 'POST /v1/images/generations with gpt-image-1',
    path: '/v1/images/generations',
    encodings: ['json'],
    valid: () => ({ model: 'gpt-image-1', prompt: 'a cat' }),
  },
  accounts: imageAccounts,
  rows: [
    ...generations,
    ...['size', 'quality'].map((field): FieldRow => ({
      says: `${table}: ${field}`,
      field,
      type: 'string',
      taken: ['auto'],
    })),
    {
      says: `${table}: response format (url or b64_json)`,
      field: 'response_format',
      type: 'string',
      words: ['url', 'b64_json'],
    },
  ],
})

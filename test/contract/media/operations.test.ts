import type { FieldRow } from '../rows.ts'
import { describeTable } from '../suite.ts'
import { videoAccounts } from './accounts.ts'
import { pictureBase64 } from './pictures.ts'

const endpoint = 'Endpoints, :predictLongRunning'

const bytes = { bytesBase64Encoded: pictureBase64, mimeType: 'image/png' }

/** Pictures and videos that are nowhere, or whose place is of another type. */
const nowhere = [
  {},
  { mimeType: 'image/png' },
  { bytesBase64Encoded: 7 },
  { bytesBase64Encoded: '' },
  { bytesBase64Encoded: null },
  { gcsUri: 7 },
  { gcsUri: ' ' },
  { uri: {} },
  { ...bytes, mimeType: 7 },
  { ...bytes, gcsUri: 7 },
  { inlineData: 'text' },
  { ...bytes, inlineData: 'text' },
  { ...bytes, inlineData: [] },
  { inlineData: {} },
  { inlineData: { data: 7 } },
  { inlineData: { data: pictureBase64, mimeType: [] } },
]

const rows: readonly FieldRow[] = [
  {
    says: `${endpoint}: instances (array of {prompt (string)})`,
    field: 'instances',
    type: 'array',
    required: true,
    min: 1,
    unit: { prompt: 'a cat' },
    refused: [
      [{}],
      [[]],
      [null],
      [{ prompt: 'a cat' }, {}],
      [{ prompt: 'a cat' }, { prompt: ' ' }],
      [{ prompt: 'a cat' }, { prompt: 7 }],
      [{ prompt: 'a cat' }, 'a dog'],
      [{ prompt: 'a cat' }, null],
      [{ prompt: 'a cat' }, { prompt: 'a dog', image: 'text' }],
    ],
  },
  {
    says: `${endpoint}: instances (array of {prompt (string)})`,
    field: 'instances[0].prompt',
    type: 'string',
    required: true,
    notBlank: true,
    taken: ['a cat'],
  },
  {
    says: `${endpoint}: fields for reference-image input`,
    field: 'instances[0].image',
    type: 'object',
    taken: [bytes, { inlineData: { data: pictureBase64, mimeType: 'image/png' } }],
    refused: nowhere,
  },
  {
    says: `${endpoint}: fields for reference-image input`,
    field: 'instances[0].lastFrame',
    type: 'object',
    refused: nowhere,
  },
  {
    says: `${endpoint}: fields for source-video input`,
    field: 'instances[0].video',
    type: 'object',
    refused: [...nowhere, { encodedVideo: 7 }, { encodedVideo: '' }, { uri: 'a', encoding: 7 }],
  },
  {
    says: `${endpoint}: parameters {...}`,
    field: 'parameters',
    type: 'object',
    taken: [{}],
  },
  {
    says: `${endpoint}: aspectRatio (string, form W:H)`,
    field: 'parameters.aspectRatio',
    type: 'string',
    taken: ['16:9', '9:16'],
    refused: ['', ' ', 'wide', '16/9', '16:9 ', '0:9', '16:0', 'a:b', ':', '16:', '1.5:1', '1:2:3'],
  },
  {
    says: `${endpoint}: other parameters`,
    field: 'parameters.resolution',
    type: 'string',
    notBlank: true,
    taken: ['720p', '1080p'],
    beside: { parameters: { aspectRatio: '16:9' } },
  },
  {
    says: `${endpoint}: durationSeconds (integer)`,
    field: 'parameters.durationSeconds',
    type: 'integer',
    min: 1,
    max: 9_999,
    refused: [-1, 1e15],
  },
  {
    says: `${endpoint}: sampleCount (integer)`,
    field: 'parameters.sampleCount',
    type: 'integer',
    min: 1,
    refused: [-1, 37, 1e15],
  },
  {
    says: `${endpoint}: other parameters`,
    field: 'parameters.negativePrompt',
    type: 'string',
    taken: ['dogs'],
  },
  {
    says: `${endpoint}: other parameters`,
    field: 'parameters.seed',
    type: 'integer',
    taken: [0, 4_294_967_295],
  },
]

describeTable({
  target: {
    title: 'POST :predictLongRunning',
    path: '/v1beta/models/publisher/camera:predictLongRunning',
    encodings: ['json'],
    valid: () => ({ instances: [{ prompt: 'a cat' }] }),
  },
  accounts: videoAccounts,
  rows,
  options: { publicUrl: 'https://gateway.example' },
})

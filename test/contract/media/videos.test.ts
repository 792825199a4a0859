import type { ProbeStage } from '../stage.ts'
import { describeTable } from '../suite.ts'
import type { FieldRow } from '../rows.ts'
import { videoAccounts } from './accounts.ts'
import { picture, pictureUrl } from './pictures.ts'

const prompt: FieldRow = {
  says: 'Endpoints, POST /v1/videos: prompt (string)',
  field: 'prompt',
  type: 'string',
  required: true,
  notBlank: true,
  taken: ['a cat'],
}

const rows: readonly FieldRow[] = [
  prompt,
  {
    says: 'Endpoints, POST /v1/videos: model (string)',
    field: 'model',
    type: 'string',
    notBlank: true,
    taken: ['camera', 'publisher/camera'],
  },
  {
    says: 'Resources, Video job: seconds, string, duration in seconds',
    field: 'seconds',
    type: 'string',
    taken: ['1', '4', '12', '9999', 7],
    refused: ['0', '-1', '1.5', 'four', '10000', '4 ', '0x4', '٤', 1.5, 0],
  },
  {
    says: 'Resources, Video job: seconds, string, duration in seconds',
    field: 'seconds',
    type: 'string',
    notBlank: true,
    taken: [7],
    encodings: ['json'],
  },
  {
    says: 'Resources, Video job: size, 720x1280 or 1280x720',
    field: 'size',
    type: 'string',
    taken: ['720x1280', '1280x720'],
    refused: [
      '0x0',
      '0720x1280',
      '720',
      'axb',
      '720x',
      '720X1280',
      '720x1280 ',
      '720x-1',
      '7x123456',
    ],
  },
  {
    says: 'Endpoints, POST /v1/videos: input_reference (file, optional reference)',
    field: 'input_reference',
    type: 'object',
    taken: [{ image_url: pictureUrl }, pictureUrl, { image_url: pictureUrl, file_id: null }],
    refused: [
      {},
      '',
      ' ',
      { image_url: '' },
      { image_url: ' ' },
      { image_url: 7 },
      { image_url: 'text' },
      { image_url: { url: pictureUrl } },
      { image_url: [pictureUrl] },
      { image_url: pictureUrl, file_id: 'file-1' },
      { image_url: pictureUrl, file_id: 7 },
      { image_url: 7, file_id: 'file-1' },
      { image_url: '', file_id: 'file-1' },
      { file_id: 7 },
      { file_id: ' ' },
      [{ image_url: pictureUrl }],
    ],
    encodings: ['json'],
  },
  {
    says: 'Endpoints, POST /v1/videos: input_reference (file, optional reference)',
    field: 'input_reference',
    type: 'object',
    taken: [picture, pictureUrl],
    refused: [new File([], 'empty.png', { type: 'image/png' }), 'text', ' '],
    encodings: ['form'],
  },
]

describeTable({
  target: {
    title: 'POST /v1/videos',
    path: '/v1/videos',
    encodings: ['json', 'form'],
    valid: () => ({ model: 'camera', prompt: 'a cat' }),
  },
  accounts: videoAccounts,
  rows,
})

/** A completed video, which is to be remixed. */
async function remixPath({ gateway }: ProbeStage): Promise<string> {
  const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'camera', prompt: 'a cat' })
  const created = await fetch(`${gateway.url}/v1/videos`, { method: 'POST', headers, body })
  const { id } = (await created.json()) as { id: string }
  await (await fetch(`${gateway.url}/v1/videos/${id}`, { headers })).text()
  return `/v1/videos/${id}/remix`
}

describeTable({
  target: {
    title: 'POST /v1/videos/{video_id}/remix',
    path: remixPath,
    encodings: ['json', 'form'],
    valid: () => ({ model: 'camera', prompt: 'a dog' }),
  },
  accounts: videoAccounts,
  rows: [
    prompt,
    {
      says: 'Endpoints, POST /v1/videos/{video_id}/remix: model (string)',
      field: 'model',
      type: 'string',
      notBlank: true,
      taken: ['camera'],
      refused: ['other'],
    },
  ],
})

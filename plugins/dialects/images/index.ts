import { openAiEndpoint } from '../shared/openai-endpoint.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import type { FileFields, Files } from '../../../src/contract/files.ts'
import type { Log } from '../../../src/lib/log.ts'
import { type ImageModels, defaultImageModels } from '../../../src/media/image.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { notOffered } from '../../../src/kit/not-offered.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import type { Results } from '../../../src/storage/results.ts'
import { imagesConverter } from './convert.ts'
import { editImages } from './edits.ts'
import { generateImages } from './generations.ts'
import { createModelChoice } from './models.ts'

/** Options of the images plugin. */
interface ImagesOptions {
  /** Uploads that requests may refer to. */
  readonly files: Files
  /** Storage of images that clients request as URLs. Absent: base64 images are not converted. */
  readonly results?: Results
  readonly log?: Pick<Log, 'warn'>
  readonly images?: ImageModels
  /** Returns milliseconds since 1970. */
  readonly now?: () => number
}

/** Images that accounts store. The operations read uploads themselves. */
const imageIds: FileFields = {
  idPrefix: 'file-',
  contentMembers: new Set(['image', 'images', 'mask']),
  find(node) {
    const name = stringAt(node, 'file_id')
    return name === undefined ? undefined : { member: 'file_id', name }
  },
}

/** OpenAI's SDKs still have this method; OpenAI itself has removed the endpoint. */
const variations = notOffered('images.variations', 'POST', '/v1/images/variations')

/** Returns the plugin that serves `POST /v1/images/edits` and `POST /v1/images/generations`. */
export function images({
  files,
  results,
  log = { warn() {} },
  images = defaultImageModels,
  now = Date.now,
}: ImagesOptions): GatewayPlugin {
  const parts = { files, results, log, now, models: createModelChoice(images) }
  const dialect = defineDialect({
    id: 'images',
    title: 'Images API',
    files: imageIds,
    ...openAiEndpoint,
    converts: { 'generate-image': imagesConverter },
    operations: [editImages(parts), generateImages(parts), variations],
  })
  return definePlugin({ name: 'images', dialects: [dialect] })
}

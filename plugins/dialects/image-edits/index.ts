import { bearer, firstCredential, xApiKey, xGoogApiKey } from '../../../src/credential.ts'
import { defineDialect } from '../../../src/dialect.ts'
import { errorFormat } from '../../../src/error-format.ts'
import type { Files } from '../../../src/files.ts'
import { defaultImageModels, type ImageModels } from '../../../src/media/image.ts'
import { definePlugin, type GatewayPlugin } from '../../../src/plugin.ts'
import { editImages } from './edits.ts'
import { generateImages } from './generations.ts'
import { createModelChoice } from './models.ts'

export interface ImageEditsOptions {
  /** Uploads that images can be named by. */
  readonly files: Files
  readonly images?: ImageModels
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** `POST /v1/images/edits`, and `POST /v1/images/generations` beside it. */
export function imageEdits({
  files,
  images = defaultImageModels,
  now = Date.now,
}: ImageEditsOptions): GatewayPlugin {
  const parts = { files, now, chooseModel: createModelChoice(images) }
  const dialect = defineDialect({
    name: 'images',
    title: 'Images API',
    credential: (request) => firstCredential(request, [bearer, xApiKey, xGoogApiKey]),
    error: errorFormat,
    upstream: {
      base: 'versioned',
      providers: {
        openai: { baseUrl: 'https://api.openai.com/v1' },
        'openai-compatible': {},
        sandbox: { base: 'bare' },
      },
      headers: ({ credential }) => (credential ? { authorization: `Bearer ${credential}` } : {}),
    },
    operations: [editImages(parts), generateImages(parts)],
  })
  return definePlugin({ name: 'image-edits', dialects: [dialect] })
}

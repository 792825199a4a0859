import type { Account } from '../../accounts.ts'
import type { JsonObject } from '../../json.ts'
import type { StoredOperation } from '../../stored.ts'
import { filmScene } from '../../video/film.ts'
import { filesOf, findFile } from './kept.ts'

/** The `response` of a finished operation: of the developer API, or of the cloud. */
export function renderResult(
  operation: StoredOperation,
  account: Account,
  origin: string,
): JsonObject {
  const { inline = false } = operation.work.directives
  const files = filesOf(account, operation)
  if (operation.place.publisher !== undefined) return renderForCloud(operation, account, files)
  const samples = files.map((id) => ({
    video: inline
      ? { encodedVideo: encoded(account, id), encoding: 'video/mp4' }
      : { uri: `${origin}/v1beta/files/${id}:download?alt=media` },
  }))
  return {
    '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
    generateVideoResponse: {
      ...(samples.length > 0 ? { generatedSamples: samples } : {}),
      ...filtered(operation),
    },
  }
}

function renderForCloud(operation: StoredOperation, account: Account, files: string[]) {
  const { storageUri, id: operationId } = operation
  const mimeType = 'video/mp4'
  const videos = files.map((id, index) =>
    storageUri === undefined
      ? { bytesBase64Encoded: encoded(account, id), mimeType }
      : { gcsUri: `${storageUri.replace(/\/$/, '')}/${operationId}/sample_${index}.mp4`, mimeType },
  )
  return {
    '@type': 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse',
    raiMediaFilteredCount: 0,
    ...(videos.length > 0 ? { videos } : {}),
    ...filtered(operation),
  }
}

function encoded(account: Account, id: string): string {
  const { scene, work } = findFile(account, id)
  return filmScene(scene, work.directives.big).toString('base64')
}

function filtered({ count, work }: StoredOperation): JsonObject {
  const withheld = Math.min(count, work.directives.filtered ?? 0)
  if (withheld === 0) return {}
  return {
    raiMediaFilteredCount: withheld,
    raiMediaFilteredReasons: [
      work.directives.message ??
        'Sorry, we cannot create videos from input text that violates our guidelines.',
    ],
  }
}

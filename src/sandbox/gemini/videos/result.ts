import type { Account } from '../../accounts.ts'
import type { JsonObject } from '../../json.ts'
import type { VideoOperation } from '../../stored.ts'
import { encodeMp4 } from '../../media/mp4.ts'
import { videoIdsOf, findVideoFile } from './store.ts'

/** Renders the `response` of a finished operation, of the developer API or of Google Cloud. */
export function renderResult(
  operation: VideoOperation,
  account: Account,
  origin: string,
): JsonObject {
  const { inline = false } = operation.job.directives
  const files = videoIdsOf(account, operation)
  if (operation.place.publisher !== undefined) return renderForCloud(operation, account, files)
  const samples = files.map((id) => ({
    video: inline
      ? { encodedVideo: base64Of(account, id), encoding: 'video/mp4' }
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

function renderForCloud(operation: VideoOperation, account: Account, files: string[]) {
  const { storageUri, id: operationId } = operation
  const mimeType = 'video/mp4'
  const videos = files.map((id, index) =>
    storageUri === undefined
      ? { bytesBase64Encoded: base64Of(account, id), mimeType }
      : { gcsUri: `${storageUri.replace(/\/$/, '')}/${operationId}/sample_${index}.mp4`, mimeType },
  )
  return {
    '@type': 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse',
    raiMediaFilteredCount: 0,
    ...(videos.length > 0 ? { videos } : {}),
    ...filtered(operation),
  }
}

function base64Of(account: Account, id: string): string {
  const { scene, job } = findVideoFile(account, id)
  return encodeMp4(scene, job.directives.big).toString('base64')
}

function filtered({ count, job }: VideoOperation): JsonObject {
  const withheld = Math.min(count, job.directives.filtered ?? 0)
  if (withheld === 0) return {}
  return {
    raiMediaFilteredCount: withheld,
    raiMediaFilteredReasons: [
      job.directives.message ??
        'Sorry, we cannot create videos from input text that violates our guidelines.',
    ],
  }
}

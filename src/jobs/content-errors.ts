import { GatewayError } from '../contract/errors.ts'
import type { VideoAsset } from '../media/video.ts'
import type { Job } from './job.ts'

/** The error for the content of a job that is not completed (docs/wire/contract.md 7). */
export function notCompleted({ status }: Job): GatewayError {
  const message =
    status === 'failed'
      ? 'The video has failed, so it has no content.'
      : 'The video is not completed yet. Poll its status until it is.'
  return new GatewayError('invalid_request', message, { param: 'video_id' })
}

/** The error if the account does not report the status of a job that was not completed before. */
export function statusUnavailable(): GatewayError {
  const message = 'The account that has this video cannot be reached at the moment.'
  return new GatewayError('lookup_unavailable', message, { headers: { 'retry-after-ms': '500' } })
}

/** The error if the account has completed a video but not published it yet. SDKs retry it. */
export function notReady(): GatewayError {
  const message = 'The account has completed the video but does not deliver it yet.'
  return new GatewayError('lookup_unavailable', message, { headers: { 'retry-after-ms': '500' } })
}

/** The error for an asset that the account does not offer. */
export function noAsset({ variant, index }: VideoAsset): GatewayError {
  const asset = variant === 'video' ? `video ${index + 1}` : `\`${variant}\``
  return new GatewayError('not_found', `The account that made this video has no ${asset} of it.`)
}

/** The error for a completed video without a valid URL. */
export function noLocation(): GatewayError {
  const message = 'The upstream’s reply does not say where the video is.'
  return new GatewayError('upstream_invalid_reply', message)
}

/** The account's own 416 with the length of the file (RFC 9110, 15.5.17). */
export function beyondEnd({ code, message, status, headers, upstream }: GatewayError) {
  const { 'content-range': range } = upstream?.headers ?? {}
  return new GatewayError(code, message, {
    status,
    headers: { ...headers, ...(range !== undefined && { 'content-range': range }) },
    ...(upstream && { upstream }),
  })
}

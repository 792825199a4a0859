import { GatewayError } from '../contract/errors.ts'
import type { VideoAsset } from '../media/video.ts'
import type { Job } from './job.ts'

/** Only completed videos can be downloaded and remixed (docs/wire/contract.md 7). */
export function notCompleted({ status }: Job): GatewayError {
  const message =
    status === 'failed'
      ? 'The video has failed: there is nothing to be had of it.'
      : 'The video is not completed yet: ask for its status until it is.'
  return new GatewayError('invalid_request', message, { param: 'video_id' })
}

/** Whether it is completed by now. */
export function statusUnavailable(): GatewayError {
  const message = 'The account that has this video cannot be asked at the moment.'
  return new GatewayError('lookup_unavailable', message, { headers: { 'retry-after-ms': '500' } })
}

/** The account has completed it, and has yet to put it in its place: SDKs come again by themselves. */
export function notReady(): GatewayError {
  const message = 'The account has completed the video and does not hand it out yet.'
  return new GatewayError('lookup_unavailable', message, { headers: { 'retry-after-ms': '500' } })
}

export function noAsset({ variant, index }: VideoAsset): GatewayError {
  const what = variant === 'video' ? `video ${index + 1}` : `\`${variant}\``
  return new GatewayError('not_found', `The account that made this video has no ${what} of it.`)
}

export function noPlace(): GatewayError {
  const message = 'The account does not tell where it keeps this video.'
  return new GatewayError('upstream_invalid_reply', message)
}

/** The account's own 416, with how long the file is (RFC 9110, 15.5.17). */
export function beyondEnd({ code, message, status, headers, upstream }: GatewayError) {
  const { 'content-range': range } = upstream?.headers ?? {}
  return new GatewayError(code, message, {
    status,
    headers: { ...headers, ...(range !== undefined && { 'content-range': range }) },
    ...(upstream && { upstream }),
  })
}

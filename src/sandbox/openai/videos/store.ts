import type { Account } from '../../accounts.ts'
import { newId, nowInSeconds } from '../../ids.ts'
import type { JsonObject } from '../../json.ts'
import { createVideoJob, expiryOf, progressOf } from '../../video/video-job.ts'
import type { Directives } from '../../steering/directives.ts'
import type { StoredVideo, VideoSettings } from '../../stored.ts'
import { videoNotFound } from '../not-found.ts'

const weight = 1024

/** The default lifetime of a video's content. */
export const lifetimeSeconds = 60 * 60

/** Creates a video job and stores it. The store evicts the oldest ones when it is full. */
export function createVideo(
  account: Account,
  settings: VideoSettings,
  directives: Directives,
): StoredVideo {
  const isUnsafe = (directives.filtered ?? 0) > 0
  const job = createVideoJob(isUnsafe ? { fails: 'moderation_blocked', ...directives } : directives)
  const video = { ...settings, id: newId('video_'), job }
  account.videos.put(video.id, video, weight + settings.prompt.length)
  return video
}

/** Finds a video job. Throws a 404 for an id that this account does not have. */
export function findVideo(account: Account, id: string): StoredVideo {
  const video = account.videos.get(id)
  if (!video) throw videoNotFound(id)
  return video
}

/** Renders a video job, always with all members. */
export function renderVideo(video: StoredVideo): JsonObject {
  const { id, model, prompt, seconds, size, remixedFrom, job } = video
  const { status, percent } = progressOf(job)
  const completed = status === 'completed'
  const expiry = completed ? expiryOf(job, lifetimeSeconds) : undefined
  return {
    id,
    object: 'video',
    created_at: inSeconds(job.createdAt),
    status,
    completed_at: completed ? inSeconds(job.finishedAt) : null,
    error: status === 'failed' ? renderFailure(job.directives) : null,
    expires_at: expiry === undefined ? null : inSeconds(expiry),
    model,
    progress: percent,
    prompt,
    remixed_from_video_id: remixedFrom ?? null,
    seconds,
    size,
  }
}

function renderFailure({ fails, message }: Directives): JsonObject {
  return {
    code: fails || 'video_generation_failed',
    message: message ?? 'sandbox: the video failed, as directed',
  }
}

function inSeconds(milliseconds: number | undefined): number {
  return milliseconds === undefined ? nowInSeconds() : Math.floor(milliseconds / 1000)
}

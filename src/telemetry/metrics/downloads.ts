import type { OperationInfo } from '../../contract/dialect-info.ts'

/** Whether a reply that is no JSON is a file: its bytes are no output of a model, and no stream of events. */
export function isDownload({ capability }: Pick<OperationInfo, 'capability'>): boolean {
  return capability === 'video-job'
}

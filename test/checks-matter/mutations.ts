import type { Mutation } from './mutation.ts'
import { accountSettingChecks } from './mutations/account-settings.ts'
import { adminActChecks } from './mutations/admin-acts.ts'
import { adminChecks } from './mutations/admin.ts'
import { adminDoorChecks } from './mutations/admin-doors.ts'
import { adminTokenChecks } from './mutations/admin-tokens.ts'
import { adminAnswerChecks } from './mutations/admin-answers.ts'
import { adminAttackChecks } from './mutations/admin-attacks.ts'
import { adminBoundChecks } from './mutations/admin-bounds.ts'
import { adminAccessChecks } from './mutations/admin-access.ts'
import { adminClientChecks } from './mutations/admin-client.ts'
import { adminEffortChecks } from './mutations/admin-effort.ts'
import { adminFloodChecks } from './mutations/admin-floods.ts'
import { adminHarmChecks } from './mutations/admin-harm.ts'
import { adminKeyChecks } from './mutations/admin-keys.ts'
import { adminPageChecks } from './mutations/admin-pages.ts'
import { attackChecks } from './mutations/attacks.ts'
import { authChecks } from './mutations/auth.ts'
import { bodyChecks } from './mutations/bodies.ts'
import { changeChecks } from './mutations/changes.ts'
import { chatWordChecks } from './mutations/chat-words.ts'
import { connectionChecks } from './mutations/connections.ts'
import { formChecks } from './mutations/forms.ts'
import { costChecks } from './mutations/costs.ts'
import { doctorChecks } from './mutations/doctor.ts'
import { errorChecks } from './mutations/errors.ts'
import { attemptChecks } from './mutations/attempts.ts'
import { logChecks } from './mutations/logs.ts'
import { explainChecks } from './mutations/explain.ts'
import { fieldChecks } from './mutations/fields.ts'
import { frameChecks } from './mutations/frames.ts'
import { headerChecks } from './mutations/headers.ts'
import { imageLimitChecks } from './mutations/image-limits.ts'
import { imageChecks } from './mutations/images.ts'
import { ingressChecks } from './mutations/ingress.ts'
import { jobChecks } from './mutations/jobs.ts'
import { keptChecks } from './mutations/kept.ts'
import { lossChecks } from './mutations/losses.ts'
import { mediaContractChecks } from './mutations/media-contract.ts'
import { metricChecks } from './mutations/metrics.ts'
import { namedFileChecks } from './mutations/named-files.ts'
import { memoryChecks } from './mutations/memory.ts'
import { operationChecks } from './mutations/operations.ts'
import { refusalChecks } from './mutations/refusals.ts'
import { passingChecks } from './mutations/passing.ts'
import { pluginLifeChecks } from './mutations/plugin-life.ts'
import { processChecks } from './mutations/processes.ts'
import { processLimitChecks } from './mutations/process-limits.ts'
import { remoteChecks } from './mutations/remote.ts'
import { contractChecks } from './mutations/contracts.ts'
import { sdkFieldChecks } from './mutations/sdk-fields.ts'
import { shippedPluginChecks } from './mutations/shipped-plugins.ts'
import { signatureChecks } from './mutations/signatures.ts'
import { terminalChecks } from './mutations/terminal.ts'
import { textDialectChecks } from './mutations/text-dialects.ts'
import { stallChecks } from './mutations/stalls.ts'
import { storedAccountChecks } from './mutations/stored-accounts.ts'
import { streamChecks } from './mutations/streams.ts'
import { tenancyChecks } from './mutations/tenancy.ts'
import { traceChecks } from './mutations/traces.ts'
import { translatedChecks } from './mutations/translated.ts'
import { uploadChecks } from './mutations/uploads.ts'
import { videoChecks } from './mutations/videos.ts'
import { walkChecks } from './mutations/walks.ts'
import { writingChecks } from './mutations/writing.ts'

/** Every named check of what the gateway takes, tells, translates, keeps, fetches and makes. */
export const mutations: readonly Mutation[] = [
  ...accountSettingChecks,
  ...fieldChecks,
  ...chatWordChecks,
  ...bodyChecks,
  ...memoryChecks,
  ...metricChecks,
  ...costChecks,
  ...stallChecks,
  ...formChecks,
  ...connectionChecks,
  ...ingressChecks,
  ...authChecks,
  ...adminAccessChecks,
  ...adminClientChecks,
  ...adminAttackChecks,
  ...adminBoundChecks,
  ...headerChecks,
  ...errorChecks,
  ...refusalChecks,
  ...frameChecks,
  ...shippedPluginChecks,
  ...streamChecks,
  ...signatureChecks,
  ...lossChecks,
  ...translatedChecks,
  ...keptChecks,
  ...jobChecks,
  ...traceChecks,
  ...processChecks,
  ...processLimitChecks,
  ...passingChecks,
  ...remoteChecks,
  ...contractChecks,
  ...sdkFieldChecks,
  ...imageLimitChecks,
  ...imageChecks,
  ...mediaContractChecks,
  ...uploadChecks,
  ...namedFileChecks,
  ...videoChecks,
  ...operationChecks,
  ...terminalChecks,
  ...walkChecks,
  ...writingChecks,
  ...textDialectChecks,
  ...tenancyChecks,
  ...adminChecks,
  ...storedAccountChecks,
  ...adminKeyChecks,
  ...adminEffortChecks,
  ...adminPageChecks,
  ...attackChecks,
  ...adminTokenChecks,
  ...adminDoorChecks,
  ...adminActChecks,
  ...attemptChecks,
  ...logChecks,
  ...adminFloodChecks,
  ...adminHarmChecks,
  ...adminAnswerChecks,
  ...explainChecks,
  ...doctorChecks,
  ...changeChecks,
  ...pluginLifeChecks,
]

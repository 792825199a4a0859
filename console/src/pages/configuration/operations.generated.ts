import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** UNANSWERED: the process may have done it or not. */
export type CommandStatus =
  | 'DONE'
  | 'FAILED'
  | 'UNANSWERED';

/** WARN: it counts, and refuses nothing. */
export type LimitAction =
  | 'REFUSE'
  | 'WARN';

export type ReloadConfigurationInput = {
  /** For the audit record. */
  reason?: string | null | undefined;
};

/** Where a value comes from. A flag goes before the environment, that before the file. */
export type SettingOrigin =
  | 'DEFAULT'
  | 'ENVIRONMENT'
  | 'FILE'
  | 'FLAG'
  | 'STORE';

export type StartCaptureInput = {
  /** The account that was asked last. Absent: all. */
  accountId?: string | null | undefined;
  /** The most of each process, from 1 to 1000, by default 100. */
  exchanges?: number | null | undefined;
  keyId: string;
  /** From 1 to 60, by default 5. */
  minutes?: number | null | undefined;
  /** A platform model. Absent: all. */
  model?: string | null | undefined;
  /** For the audit record. */
  reason: string;
};

export type StartDrainInput = {
  /** Absent: all processes on the store. */
  processId?: string | null | undefined;
  /** For the audit record. */
  reason: string;
};

export type StopCaptureInput = {
  id: string;
  /** For the audit record. */
  reason?: string | null | undefined;
};

export type StoreKind =
  | 'FILE'
  | 'MEMORY'
  | 'REDIS';

export type ConfigurationPageQueryVariables = Exact<{
  section?: string | null | undefined;
}>;


export type ConfigurationPageQuery = { configuration: { file: string | null, hash: string, loadedAt: string, needsRestart: Array<string>, settingsCount: number, problems: Array<{ path: string, message: string, fix: string }>, settings: Array<{ path: string, value: unknown, origin: SettingOrigin }> }, gateway: { version: string, processId: string, processesComplete: boolean, store: { kind: StoreKind, reachable: boolean }, processes: Array<{ id: string, host: string, pid: number, worker: number | null, version: string, ready: boolean, draining: boolean, stale: boolean, startedAt: string, inFlight: number, loopLagMs: number, configuration: { hash: string, problems: Array<{ message: string }> } }> }, captures: Array<{ id: string, keyId: string, accountId: string | null, model: string | null, startedAt: string, startedBy: string, endsAt: string }> | null };

export type ReloadConfigurationMutationVariables = Exact<{
  input: ReloadConfigurationInput;
}>;


export type ReloadConfigurationMutation = { reloadConfiguration:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'ReloadConfigurationSuccess', processes: Array<{ processId: string, status: CommandStatus, text: string | null }> | null }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

type Refusal_Conflict_Fragment = { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null };

type Refusal_Invalid_Fragment = { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> };

type Refusal_ManagedByFile_Fragment = { __typename: 'ManagedByFile', fix: string, message: string };

type Refusal_NotFound_Fragment = { __typename: 'NotFound', message: string };

type Refusal_StoreUnavailable_Fragment = { __typename: 'StoreUnavailable', message: string };

export type RefusalFragment =
  | Refusal_Conflict_Fragment
  | Refusal_Invalid_Fragment
  | Refusal_ManagedByFile_Fragment
  | Refusal_NotFound_Fragment
  | Refusal_StoreUnavailable_Fragment
;

export type StartDrainMutationVariables = Exact<{
  input: StartDrainInput;
}>;


export type StartDrainMutation = { startDrain:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StartDrainSuccess', processes: Array<{ processId: string, status: CommandStatus, text: string | null }> | null }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type StartCaptureMutationVariables = Exact<{
  input: StartCaptureInput;
}>;


export type StartCaptureMutation = { startCapture:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StartCaptureSuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type StopCaptureMutationVariables = Exact<{
  input: StopCaptureInput;
}>;


export type StopCaptureMutation = { stopCapture:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StopCaptureSuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const ConfigurationPage: Operation<ConfigurationPageQuery, ConfigurationPageQueryVariables> = { name: 'ConfigurationPage', hash: '21f233458b76207862a7a441eece9f7bffde6d83284b2fc0e00d44b9f8158af6' }

export const ReloadConfiguration: Operation<ReloadConfigurationMutation, ReloadConfigurationMutationVariables> = { name: 'ReloadConfiguration', hash: '1cb416dcb2e6d7e8532960aed4a2f5bf718cd89bffb8820912ba3fa6ffbf96c4' }

export const StartDrain: Operation<StartDrainMutation, StartDrainMutationVariables> = { name: 'StartDrain', hash: 'e23508fe4ef786495864e2954075a8a8f032f5a01f9491411c2e9ee0a7906638' }

export const StartCapture: Operation<StartCaptureMutation, StartCaptureMutationVariables> = { name: 'StartCapture', hash: '8e1d41427b4976058f65f63e709fee3194fad4191bb2ecdade456160f3ff1110' }

export const StopCapture: Operation<StopCaptureMutation, StopCaptureMutationVariables> = { name: 'StopCapture', hash: 'a5f4ae1aafe8ea8e75f89fd852a65a3aae8b66a009ea76f3c5f503623f7d5ed9' }

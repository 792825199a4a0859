import { describeProperties } from './properties.ts'

describeProperties(30)

export const feature = { impersonalTables: ['schema_steps'] };

-- Adds the incarnation and the unusable object to the results of drills. File numbers belong to an incarnation.
set local search_path = pg_catalog;

ALTER TABLE "internal"."backup_drills" ADD COLUMN "incarnation" text;

ALTER TABLE "internal"."backup_drills" ADD COLUMN "object" text;

ALTER TABLE "internal"."backup_drills" ADD CONSTRAINT "backup_drills_incarnation_is_short" CHECK ((length(incarnation) <= 20));

ALTER TABLE "internal"."backup_drills" ADD CONSTRAINT "backup_drills_object_is_short" CHECK ((length(object) <= 200));

COMMENT ON COLUMN "internal"."backup_drills"."incarnation" IS 'The id of the incarnation whose backup was restored, to which the number of files belongs.';

COMMENT ON COLUMN "internal"."backup_drills"."object" IS 'The first object at the target that was missing or damaged.';

insert into internal.erasure_rules (table_name, column_name, treatment, reason, label, row_key, owner, subject, longest, only_where) values
  ('internal.backup_drills', 'incarnation', 'free', 'words of the product, names of tables and ids of copies', NULL, NULL, NULL, NULL, NULL, 'true'),
  ('internal.backup_drills', 'object', 'free', 'words of the product, names of tables and ids of copies', NULL, NULL, NULL, NULL, NULL, 'true');

update internal.erasure_rules set reason = 'words of the product, names of tables and ids of copies'
where table_name = 'internal.backup_drills';

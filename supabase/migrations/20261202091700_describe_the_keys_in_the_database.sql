-- Keys of the site lie in files of DATA_DIR/keys now (docs/decisions/0028).
comment on table internal.secrets is
  'The key of mailed links and the key of form tokens, with which the database itself signs. Where several machines may work '
  'on this database: the keys of the site on their way from one machine to the next, sealed with the password of the '
  'tables'' owner. No backup contains a row of this table.';
